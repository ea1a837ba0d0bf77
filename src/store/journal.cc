#include "store/journal.h"

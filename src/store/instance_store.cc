#include "store/instance_store.h"

// A catalog entry cannot be made without its schema being compiled.
#include <goondan/catalog.h>

#ifdef WRONG
const goondan::CatalogEntry kEntry(goondan::CatalogItem{}, nullptr);
#endif

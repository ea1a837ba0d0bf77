// Boost.JSON's own functions, compiled into the library: Debian's archive is not position
// independent, so a plugin could not link it.
#include <boost/json/src.hpp>

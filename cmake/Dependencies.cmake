# Third-party libraries, all Debian packages. Static where Debian ships an archive: the program
# then starts in about a millisecond and runs on machines without the -dev packages.
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_library(GDN_RE2_LIBRARY NAMES libre2.a re2 REQUIRED)
find_library(GDN_YAML_LIBRARY NAMES libyaml.a yaml REQUIRED)
find_library(GDN_CARES_LIBRARY NAMES libcares.a cares REQUIRED)
find_library(GDN_SQLITE_LIBRARY NAMES libsqlite3.a sqlite3 REQUIRED)
find_library(GDN_ZLIB_LIBRARY NAMES libz.a z REQUIRED)
find_library(GDN_SODIUM_LIBRARY NAMES libsodium.a sodium REQUIRED)
# Of libgit2, too, only the headers: it is opened with the first changeset.
find_path(GDN_GIT2_INCLUDE git2.h REQUIRED)
# Of OpenSSL only the headers: the library is opened when the first TLS connection is made.
find_path(GDN_OPENSSL_INCLUDE openssl/ssl.h REQUIRED)

add_library(goondan_dependencies INTERFACE)
target_compile_features(goondan_dependencies INTERFACE cxx_std_20)
target_link_libraries(goondan_dependencies INTERFACE Threads::Threads
  $<BUILD_INTERFACE:Boost::headers> $<BUILD_INTERFACE:${GDN_RE2_LIBRARY}>
  $<BUILD_INTERFACE:${GDN_YAML_LIBRARY}> $<BUILD_INTERFACE:${GDN_CARES_LIBRARY}>
  $<BUILD_INTERFACE:${GDN_SQLITE_LIBRARY}> $<BUILD_INTERFACE:${GDN_SODIUM_LIBRARY}>
  $<BUILD_INTERFACE:${GDN_ZLIB_LIBRARY}> m ${CMAKE_DL_LIBS})

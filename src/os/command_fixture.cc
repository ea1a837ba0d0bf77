#include "os/command_fixture.h"

#include <cstdlib>
#include <sys/stat.h>

namespace goondan::os::test {

Survivors::Survivors() {
  path_ = "/tmp/gdn-survivors-XXXXXX";
  EXPECT_NE(::mkdtemp(path_.data()), nullptr);
  path_ += "/fifo";
  EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  reader_ = UniqueFd(::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
}

Survivors::~Survivors() {
  ::unlink(path_.c_str());
  ::rmdir(path_.substr(0, path_.rfind('/')).c_str());
}

std::string Survivors::line() const {
  std::string text;
  char byte = 0;
  while (byte != '\n' && wait_readable(reader_.get(), soon()) == Wake::Ready) {
    if (::read(reader_.get(), &byte, 1) == 1 && byte != '\n') text.push_back(byte);
  }
  return text;
}

bool Survivors::seen(std::size_t lines) const {
  while (lines > 0 && !line().empty())
    --lines;
  return lines == 0;
}

bool Survivors::gone() const {
  char byte = 0;
  while (true) {
    const ssize_t count = ::read(reader_.get(), &byte, 1);
    if (count == 0) return true;
    if (count < 0 && wait_readable(reader_.get(), soon()) != Wake::Ready) return false;
  }
}

}  // namespace goondan::os::test

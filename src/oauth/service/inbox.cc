#include "oauth/service/inbox.h"

#include <sys/eventfd.h>

namespace goondan::oauth {

ServiceInbox::ServiceInbox() : waker(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void ServiceInbox::wake() const {
  ::eventfd_write(waker.get(), 1);
}

void ServiceInbox::finish(FinishedJob job) {
  {
    const std::scoped_lock lock(mutex);
    finished.push_back(std::move(job));
  }
  wake();
}

}  // namespace goondan::oauth

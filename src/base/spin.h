// A short busy wait before a long sleepy one.
//
// Waking a sleeping thread costs tens of microseconds, more than most handlers need. Looking again
// for a moment first makes back-to-back calls an order of magnitude cheaper, and costs next to
// nothing when the wait turns out to be long.
#pragma once

#include <chrono>

#include <goondan/tool_context.h>

namespace goondan {

inline constexpr std::chrono::microseconds kSpinTime{30};

// Calls `done` again and again until it says so or the time is up; returns its last answer.
template <class Done>
bool spin_until(const Done& done, std::chrono::microseconds time = kSpinTime) {
  const Deadline end = Clock::now() + time;
  constexpr int kLooksPerClock = 32;  // reading the clock is dearer than looking
  do {
    for (int i = 0; i < kLooksPerClock; ++i) {
      if (done()) return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  } while (Clock::now() < end);
  return done();
}

}  // namespace goondan

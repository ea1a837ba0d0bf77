#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <goondan/pipeline.h>

namespace goondan {
namespace {

struct Trail {
  std::vector<std::string> steps = {};
};

using StringPipeline = Pipeline<Trail, std::string>;

std::string answer_with_code(Trail&, const Error& error) {
  return std::string(error.code_text()) + ": " + error.message;
}

std::string run(const StringPipeline& pipeline, Trail& trail, std::string* thrower = nullptr) {
  return pipeline.run(
      trail,
      [](Trail& inner) {
        inner.steps.emplace_back("core");
        return std::string("done");
      },
      answer_with_code, thrower);
}

StringPipeline::Layer noting(std::string name) {
  return [name = std::move(name)](Trail& trail, StringPipeline::Next& next) {
    trail.steps.push_back(name + ":pre");
    std::string result = next();
    trail.steps.push_back(name + ":post");
    return result;
  };
}

TEST(Pipeline, RunsTheCoreWhenThereIsNoLayer) {
  Trail trail;
  EXPECT_EQ(run({}, trail), "done");
}

TEST(Pipeline, PutsTheFirstRegisteredOutermost) {  // REQ: MW-1
  StringPipeline pipeline;
  pipeline.add("A", noting("A"));
  pipeline.add("B", noting("B"));
  Trail trail;
  EXPECT_EQ(run(pipeline, trail), "done");
  EXPECT_EQ(trail.steps, (std::vector<std::string>{"A:pre", "B:pre", "core", "B:post", "A:post"}));
}

TEST(Pipeline, OrdersByPriorityAndKeepsTies) {  // REQ: MW-1
  StringPipeline pipeline;
  pipeline.add("A", noting("A"), 10);
  pipeline.add("B", noting("B"), 5);
  pipeline.add("C", noting("C"), 10);
  Trail trail;
  run(pipeline, trail);
  EXPECT_EQ(trail.steps, (std::vector<std::string>{"B:pre", "A:pre", "C:pre", "core", "C:post",
                                                   "A:post", "B:post"}));
}

TEST(Pipeline, AnswersASecondNextWithAnErrorAndRunsTheCoreOnce) {  // REQ: MW-6
  StringPipeline pipeline;
  pipeline.add("eager", [](Trail&, StringPipeline::Next& next) {
    next();
    return next();
  });
  Trail trail;
  EXPECT_EQ(run(pipeline, trail),
            "E_MIDDLEWARE_NEXT_TWICE: middleware 'eager' called next() twice");
  EXPECT_EQ(trail.steps, std::vector<std::string>{"core"});
}

TEST(Pipeline, CallsAForgottenNextAnError) {  // REQ: MW-6
  StringPipeline pipeline;
  pipeline.add("lazy", [](Trail&, StringPipeline::Next&) { return std::string(); });
  Trail trail;
  EXPECT_EQ(run(pipeline, trail),
            "E_MIDDLEWARE_NEXT_MISSING: middleware 'lazy' returned without calling next()");
  EXPECT_TRUE(trail.steps.empty());
}

TEST(Pipeline, LetsALayerAnswerExplicitlyInPlaceOfTheRest) {
  StringPipeline pipeline;
  pipeline.add("cache", [](Trail&, StringPipeline::Next& next) { return next.instead("cached"); });
  pipeline.add("inner", noting("inner"));
  Trail trail;
  EXPECT_EQ(run(pipeline, trail), "cached");
  EXPECT_TRUE(trail.steps.empty());
}

TEST(Pipeline, NamesTheLayerThatThrew) {  // REQ: MW-6
  StringPipeline pipeline;
  pipeline.add("outer", noting("outer"));
  pipeline.add("broken", [](Trail&, StringPipeline::Next&) -> std::string {
    throw std::runtime_error("boom");
  });
  Trail trail;
  std::string thrower;
  EXPECT_THROW(run(pipeline, trail, &thrower), std::runtime_error);
  EXPECT_EQ(thrower, "broken");
}

TEST(Pipeline, LetsAnOuterLayerHandleAnException) {
  StringPipeline pipeline;
  pipeline.add("rescue", [](Trail&, StringPipeline::Next& next) {
    try {
      return next();
    } catch (const std::exception& error) {
      return std::string("rescued ") + error.what();
    }
  });
  pipeline.add("broken", [](Trail&, StringPipeline::Next&) -> std::string {
    throw std::runtime_error("boom");
  });
  Trail trail;
  EXPECT_EQ(run(pipeline, trail), "rescued boom");
}

}  // namespace
}  // namespace goondan

import assert from "node:assert/strict"
import type { Capabilities, Instant, ProviderRequest } from "@parley/core"
import { Clock, Effect } from "effect"
import { type ChannelEngine, titleOf } from "./ChannelEngine.js"
import type { OptionPress } from "./ChannelFixture.js"

/** The next full second, after all sent messages. */
export const wholeSeconds: Effect.Effect<Instant> = Effect.map(
  Clock.currentTimeMillis,
  (now) => Math.ceil(now / 1_000) * 1_000
)

/** Presses options of three questions to a customer, late and again, and compares the timings of the choices. */
export const choiceTimings = (
  engine: ChannelEngine,
  { choices: limits }: Capabilities,
  customer: string,
  request: (press: Omit<OptionPress, "from">) => ProviderRequest
): Effect.Effect<void> =>
  Effect.gen(function* () {
    // The interface takes ids of 255 characters.
    const longId = "Monday".padEnd(Math.min(limits?.idLength ?? 0, 255), "y")
    const ask = (...options: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const { providerMessageId } = yield* engine.settled(yield* engine.ask(customer, options))
        return providerMessageId ?? ""
      })
    let number = 100
    const press = (question: string, id: string) =>
      Effect.gen(function* () {
        number += 1
        const pressed = request({ number, question, option: { id, title: titleOf(id) }, at: yield* wholeSeconds })
        // Redelivered, it is no repeated press.
        yield* engine.call(pressed)
        yield* engine.call(pressed)
      })
    const size = yield* ask("small", "large")
    yield* press(size, "small")
    yield* press(size, "small")
    yield* press(size, "large")
    const colour = yield* ask("red", "blue")
    const day = yield* ask(longId, "Tuesday")
    yield* press(colour, "blue")
    yield* press(day, longId)
    const choices = (yield* engine.inbound(customer)).flatMap(({ content, envelope }) =>
      content?.type === "choice" ? [`${content.id} ${content.timing} ${envelope?.quoted?.providerMessageId}`] : []
    )
    assert.deepEqual(
      choices.sort(),
      [
        `small first ${size}`,
        `small repeated ${size}`,
        `large repeated ${size}`,
        `blue late ${colour}`,
        `${longId} first ${day}`
      ].sort()
    )
  })

import assert from "node:assert/strict"
import type { ChoiceLimits, ContentOf } from "@parley/core"
import { Effect } from "effect"
import type { ChannelFixture } from "./ChannelFixture.js"
import { type ContractCase, conditionalCase } from "./ContractCase.js"
import { accepted, messageId, opened } from "./opened.js"

/** Sends of content beyond texts and templates. */
export const contentCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { contents, taken } = fixture.sends
  const [{ vendor: to }] = fixture.handles.good
  return [
    conditionalCase("sends every type that it declares", contents, (contents) =>
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        const { quotes = false, types = [] } = world.provider.capabilities(world.account.connection)
        assert.deepEqual(
          types.filter((type) => type !== "text" && type !== "template").sort(),
          [...new Set(contents.map(({ content }) => content.type))].sort(),
          "the capabilities and the fixture differ in their types"
        )
        const quoted = accepted(yield* world.send({ id: messageId(1) }))
        for (const [index, { body, content, taken: expected = content, takenText = null }] of contents.entries()) {
          const quotes = content.type === "reaction" ? quoted : null
          accepted(yield* world.send({ id: messageId(index + 2), body, content, quoted: quotes }))
          if (typeof taken !== "function") continue
          const { quoted: named = null, ...last } = world.taken().at(-1) ?? assert.fail("the vendor took no message")
          assert.deepEqual(last, { to, text: takenText, content: expected })
          assert.equal(named, quotes)
        }
        if (quotes && typeof taken === "function") {
          accepted(yield* world.send({ id: messageId(99), quoted }))
          assert.equal(world.taken().at(-1)?.quoted, quoted, "the quoted message is not named")
        }
      })
    ),
    conditionalCase("sends choices at the limits that it declares", contents, () =>
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        const { choices = null, types = [] } = world.provider.capabilities(world.account.connection)
        assert.equal(types.includes("choices"), choices !== null, "the capabilities have choices without limits")
        if (choices === null) return
        for (const count of new Set([1, Math.min(3, choices.options), choices.options])) {
          const content = widest(choices, count)
          accepted(yield* world.send({ id: messageId(count), body: "Which?", content }))
        }
      })
    )
  ]
}

/** This many options, each of the greatest length. */
const widest = ({ descriptionLength, idLength, titleLength }: ChoiceLimits, count: number): ContentOf<"choices"> => ({
  type: "choices",
  button: null,
  options: Array.from({ length: count }, (_, index) => ({
    id: String(index).padEnd(idLength, "i"),
    title: String(index).padEnd(titleLength, "t"),
    description: descriptionLength === 0 ? null : "d".repeat(descriptionLength)
  }))
})

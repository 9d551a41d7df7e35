import assert from "node:assert/strict"
import { Effect } from "effect"
import type { ChannelFixture } from "./ChannelFixture.js"
import { type ContractCase, conditionalCase } from "./ContractCase.js"
import { accepted, type Opened, opened } from "./opened.js"

/** Texts of the maximum length, and longer ones. */
export const textCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { maxTextLength, sends } = fixture
  return [
    conditionalCase(
      "declares the maximum length of a text, and sends a text of that length unchanged",
      maxTextLength,
      (counted) =>
        Effect.gen(function* () {
          const world = yield* opened(fixture)
          const texts = counted === "characters" ? textsByCharacters(world) : textsByBytes(counted.bytes)
          for (const text of texts.atLimit) {
            assert.equal(problem(world, text), null)
            accepted(yield* world.send({ body: text }))
            if (typeof sends.taken === "function")
              assert.equal(world.taken().at(-1)?.text, text, "the text was altered")
          }
          for (const text of texts.tooLong) assert.match(problem(world, text) ?? "nothing", /^must /)
        })
    )
  ]
}

interface Texts {
  readonly atLimit: ReadonlyArray<string>
  readonly tooLong: ReadonlyArray<string>
}

const textsByCharacters = ({ account, provider }: Opened<unknown>): Texts => {
  const { textMaxLength } = provider.capabilities(account.connection)
  assert.ok(textMaxLength !== null, "the capabilities have no textMaxLength")
  const of = (character: string, more: number) => character.repeat(textMaxLength + more)
  return { atLimit: [of("a", 0), of("🥐", 0)], tooLong: [of("a", 1), of("🥐", 1)] }
}

/** Texts of characters of one byte, and of four. */
const textsByBytes = (bytes: number): Texts => {
  const wide = "🥐".repeat(Math.floor(bytes / 4)) + "a".repeat(bytes % 4)
  return { atLimit: ["a".repeat(bytes), wide], tooLong: ["a".repeat(bytes + 1), `${wide}é`] }
}

/** The engine's validation message for a text; null if it is valid. */
const problem = ({ account, provider }: Opened<unknown>, text: string): string | null => {
  const { textMaxLength } = provider.capabilities(account.connection)
  if (textMaxLength !== null && [...text].length > textMaxLength)
    return `must be at most ${textMaxLength} characters long`
  return provider.textProblem?.(account.connection, text) ?? null
}

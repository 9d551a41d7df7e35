import assert from "node:assert/strict"
import { type ChoiceLimits, type ContentOf, kindOf, type OutboundFile } from "@parley/core"
import { Effect, Stream } from "effect"
import type { ChannelFixture } from "./ChannelFixture.js"
import { type ContractCase, conditionalCase } from "./ContractCase.js"
import { accepted, messageId, opened } from "./opened.js"

/** Sends of content beyond texts and templates. */
export const contentCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { contents, files, taken } = fixture.sends
  const [{ vendor: to }] = fixture.handles.good
  return [
    conditionalCase("sends every type that it declares", contents, (contents) =>
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        const { quotes = false, reactions = [] } = world.provider.capabilities(world.account.connection)
        const quoted = accepted(yield* world.send({ id: messageId(1) }))
        for (const [index, { body, content, taken: expected = content, takenText = null }] of contents.entries()) {
          const quotes = content.type === "reaction" ? quoted : null
          accepted(yield* world.send({ id: messageId(index + 2), body, content, quoted: quotes }))
          if (typeof taken !== "function") continue
          const { quoted: named = null, ...last } = world.taken().at(-1) ?? assert.fail("the vendor took no message")
          assert.deepEqual(last, { to, text: takenText, content: expected })
          assert.equal(named, quotes)
        }
        for (const [index, emoji] of reactions.entries()) {
          const content = { type: "reaction", emoji } as const
          accepted(yield* world.send({ id: messageId(index + 100), body: emoji, content, quoted }))
        }
        if (quotes && typeof taken === "function") {
          accepted(yield* world.send({ id: messageId(99), quoted }))
          assert.equal(world.taken().at(-1)?.quoted, quoted, "the quoted message is not named")
        }
      })
    ),
    conditionalCase("sends a file of each kind once, with and without a caption", files, (contentTypes) =>
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        const { files = null, types = [] } = world.provider.capabilities(world.account.connection)
        assert.ok(types.includes("media") && files !== null, "the capabilities do not have media and its limits")
        for (const [index, contentType] of contentTypes.entries()) {
          for (const body of files.captionLength === 0 ? [""] : ["", "A caption 🥐"]) {
            const before = world.taken().length
            const file = aFile(contentType)
            accepted(yield* world.send({ id: messageId(2 * index + (body === "" ? 1 : 2)), body, files: [file] }))
            if (typeof taken !== "function") continue
            const [message, ...others] = world.taken().slice(before)
            assert.deepEqual(others, [], "the vendor took more than one message")
            assert.equal(message?.to, to)
            assert.equal(message?.text ?? "", body)
            const [first] = message?.files ?? []
            assert.equal(first?.contentType, contentType)
            assert.ok(first?.fileName === null || first?.fileName === file.fileName, "the file has another name")
            const { content } = first
            if (content instanceof Uint8Array) assert.deepEqual([...content], [...fileBytes])
            else assert.equal(content.url, file.url)
          }
        }
      })
    ),
    conditionalCase("sends several files together, as many as it declares", files, ([contentType]) =>
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        const { files } = world.provider.capabilities(world.account.connection)
        const count = Math.min(files?.count ?? 1, 3)
        const all = Array.from({ length: count }, () => aFile(contentType ?? ""))
        accepted(yield* world.send({ body: "", files: all }))
        if (typeof taken === "function") assert.equal(world.taken().at(-1)?.files?.length, count)
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

const fileBytes = new Uint8Array([0, 255, 13, 10, 45, 45, 127])

/** A stored file with a URL, in two chunks. */
const aFile = (contentType: string): OutboundFile => ({
  type: kindOf(contentType),
  contentType,
  fileName: "a ß.bin",
  size: fileBytes.length,
  url: `https://parley.example/media/${contentType}`,
  bytes: Stream.make(fileBytes.slice(0, 3), fileBytes.slice(3))
})

/** This many options, each of the greatest length. */
const widest = (limits: ChoiceLimits, count: number): ContentOf<"choices"> => ({
  type: "choices",
  button: (limits.buttonLength ?? 0) === 0 ? null : "b".repeat(limits.buttonLength ?? 0),
  options: Array.from({ length: count }, (_, index) => ({
    id: String(index).padEnd(limits.idLength, "i"),
    title: String(index).padEnd(limits.titleLength, "t"),
    description: limits.descriptionLength === 0 ? null : "d".repeat(limits.descriptionLength)
  }))
})

import { describe, expect, it } from "@effect/vitest"
import type { Content } from "../../../src/resources/messages/readContent.js"
import { splitFiles } from "../../../src/resources/messages/splitFiles.js"

const file = (fileName: string) => ({
  ...({ type: "image", contentType: "image/png", fileName, url: "https://files.test/a.png" } as const)
})
const media = (body: string, ...names: ReadonlyArray<string>): Content & { readonly type: "media" } => ({
  ...({ type: "media", subject: null } as const),
  body,
  files: names.map(file)
})
const limits = { count: 1, bytes: 1_000, captionLength: 5 }

describe("files of a send", () => {
  it("stay together where a message takes them", () => {
    const content = media("hello", "a", "b")
    expect(splitFiles(content, { ...limits, count: 2 })).toEqual([content])
    expect(splitFiles(media("", "a"), { ...limits, captionLength: 0 })).toEqual([media("", "a")])
    expect(splitFiles(content, null)).toEqual([content])
  })

  it("become messages in their order, of which the first has the caption", () => {
    expect(splitFiles(media("hello", "a", "b", "c"), limits)).toEqual([
      media("hello", "a"),
      media("", "b"),
      media("", "c")
    ])
    expect(splitFiles(media("", "a", "b"), limits)).toEqual([media("", "a"), media("", "b")])
  })

  it("follow their text where it does not fit as a caption", () => {
    const text = (body: string) => ({ type: "text", body, subject: null })
    expect(splitFiles(media("hello!", "a"), limits)).toEqual([text("hello!"), media("", "a")])
    expect(splitFiles(media("🥐🥐🥐🥐🥐", "a"), limits)).toHaveLength(1)
    expect(splitFiles(media("hi", "a", "b"), { ...limits, captionLength: 0 })).toEqual([
      ...[text("hi"), media("", "a"), media("", "b")]
    ])
  })

  it("are those of messages only", () => {
    const text: Content = { type: "text", body: "much longer than a caption", subject: null }
    expect(splitFiles(text, limits)).toEqual([text])
  })
})

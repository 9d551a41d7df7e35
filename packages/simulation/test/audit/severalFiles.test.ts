import { describe, expect, test } from "vitest"
import { type HandWritten, newId, shop, withConnection } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

const urls = ["https://files.test/a", "https://files.test/b"] as const

interface Sent {
  readonly ids?: ReadonlyArray<string>
  readonly body?: string
  /** Text and files of each hand-over, and the time in ms after the one before. */
  readonly handed?: ReadonlyArray<readonly [text: string, files: ReadonlyArray<string>, after: number]>
  readonly groups?: ReadonlyArray<string | undefined>
}

const [first, second, third] = [newId(), newId(), newId()]

/** A send of two files on a connection whose messages have one file and a caption of 10 characters. */
const send = ({ body = "See", groups = ["g", "g"], handed = [], ids = [first, second] }: Sent) =>
  brokenBy(
    (history: HandWritten) => {
      const attachments = urls.map((url) => ({ url }))
      const request = history.sendRequest({
        body: { channel: "whatsapp", to: "+49301234567", type: "media", message: { body, attachments } }
      })
      const data = { message_id: ids[0], message_ids: ids, status: "queued", connection_id: shop.connectionId }
      history.respond(request, 202, { data })
      for (const [n, [text, files, after]] of handed.entries()) {
        history.wait(after)
        history.endHandOver(history.beginHandOver(ids[n] ?? "", { text, files }), "accepted")
        history.read(ids[n] ?? "", "sent", { group_id: groups[n] })
      }
    },
    withConnection({ files: { count: 1, captionLength: 10 } })
  )

describe("a send of several files", () => {
  test("becomes a message for each file, in their order, a second apart", () => {
    const handed = (texts: ReadonlyArray<string>, files: ReadonlyArray<string>, after: number) =>
      send({ handed: files.map((url, n) => [texts[n] ?? "", [url], n === 0 ? 0 : after]) })
    expect(handed(["See", ""], urls, 1_000)).toEqual([])
    expect(handed(["See", "See"], urls, 1_000)).toEqual(["handed-over-as-sent"])
    expect(handed(["See", ""], [urls[1], urls[0]], 1_000)).toEqual(["handed-over-as-sent"])
    expect(handed(["See", ""], urls, 500)).toEqual(["files-are-spaced"])
  })

  test("has its text before the files where that is no caption", () => {
    const body = "A text that is no caption"
    const ids = [first, second, third]
    const handed = [
      [body, [], 0],
      ["", [urls[0]], 1_000],
      ["", [urls[1]], 1_000]
    ] as const
    expect(send({ ids, body, handed, groups: ["g", "g", "g"] })).toEqual([])
    expect(send({ body })).toEqual(["files-become-messages"])
  })

  test("names other messages", () => {
    expect(send({})).toEqual([])
    expect(send({ ids: [first] })).toEqual(["files-become-messages"])
    expect(send({ ids: [first, first] })).toEqual(["files-become-messages"])
  })

  test("has no common group", () => {
    const grouped = (groups: ReadonlyArray<string | undefined>) =>
      send({
        groups,
        handed: [
          ["See", [urls[0]], 0],
          ["", [urls[1]], 1_000]
        ]
      })
    expect(grouped(["g", "h"])).toEqual(["files-become-messages"])
    expect(grouped(["g", undefined])).toEqual(["files-become-messages"])
  })

  test("with one reference is one effect of its key", () => {
    const made = (groups: ReadonlyArray<string>) =>
      brokenBy((history) => {
        const body = { type: "media", external_reference: "order", message: { body: "See", attachments: [] } }
        history.sendRequest({ body, key: "key" })
        for (const [n, id] of [first, second].entries())
          history.read(id, "sent", { external_reference: "order", group_id: groups[n] })
      })
    expect(made(["g", "g"])).toEqual([])
    expect(made(["g", "h"])).toContain("one-effect-per-key")
  })
})

import { describe, expect, it } from "@effect/vitest"
import { messengerCustomers } from "@parley/testkit"
import { Effect } from "effect"
import { opened, page } from "./opened.js"

const time = "2022-07-12T19:11:07+0000"
const at = Date.UTC(2022, 6, 12, 19, 11, 7)

describe("history", () => {
  for (const channel of ["facebook", "instagram"] as const) {
    const platform = channel === "instagram" ? "instagram" : "messenger"
    const own = { id: channel === "instagram" ? page.instagramId : page.pageId, name: page.name }
    const [customer, other] = messengerCustomers[channel]
    const ada = channel === "instagram" ? { id: customer, username: "ada" } : { id: customer, name: "Ada Lovelace" }
    const inbound = { created_time: time, from: ada, to: { data: [own] } }
    const outbound = { created_time: time, from: own, to: { data: [ada] } }

    it.scopedLive(`reads conversations of ${channel} page by page, oldest message first`, () =>
      Effect.gen(function* () {
        const { account, provider, vendor } = yield* opened(channel)
        vendor.conversations[platform].push(
          {
            id: "t_1",
            messages: [
              { ...outbound, id: "m_2", message: "We are open" },
              { ...inbound, id: "m_1", message: "Open?", created_time: "2022-07-12T21:11:06+0200" }
            ]
          },
          { id: "t_2", messages: [] },
          { id: "t_3", messages: [{ ...inbound, from: { id: other }, id: "m_3", message: "Hi" }] }
        )
        const first = yield* provider.history(account.connection, account.credentials, null)
        expect(first).toEqual({
          _tag: "Page",
          cursor: "2",
          conversations: [
            {
              _tag: "History",
              handle: customer,
              displayName: channel === "instagram" ? "ada" : "Ada Lovelace",
              opensWindow: true,
              messages: [
                {
                  ...{ providerMessageId: "m_1", direction: "inbound", at: at - 1_000 },
                  ...{ body: "Open?", content: null, attachments: [] }
                },
                {
                  ...{ providerMessageId: "m_2", direction: "outbound", at },
                  ...{ body: "We are open", content: null, attachments: [] }
                }
              ]
            }
          ]
        })
        const last = yield* provider.history(account.connection, account.credentials, "2")
        expect(last).toMatchObject({ cursor: null, conversations: [{ handle: other, displayName: null }] })
      })
    )

    it.scopedLive(`reads files, links and stickers of ${channel}`, () =>
      Effect.gen(function* () {
        const { account, provider, vendor } = yield* opened(channel)
        const url = "https://scontent.fbcdn.net/1"
        vendor.conversations[platform].push({
          id: "t_1",
          messages: [
            { id: "m_1", message: "", attachments: { data: [{ mime_type: "image/png", image_data: { url } }] } },
            { id: "m_2", message: "", attachments: { data: [{ mime_type: "video/mp4", video_data: { url } }] } },
            { id: "m_3", message: "", attachments: { data: [{ mime_type: "audio/mp4", file_url: url, name: "a" }] } },
            {
              id: "m_4",
              message: "The bill",
              attachments: { data: [{ mime_type: "application/pdf", file_url: url, name: "bill.pdf" }, null] }
            },
            { id: "m_5", message: "", sticker: url },
            { id: "m_6", message: "See", shares: { data: [{ link: "https://shop.example/1", name: "Bread" }, 7] } },
            { id: "m_7", message: "" },
            { id: "m_8", message: "no time", created_time: "soon" },
            { id: "m_9", message: "without a writer", from: null },
            null
          ].map((message) => (message === null ? { id: null } : { ...inbound, ...message }))
        })
        const read = yield* provider.history(account.connection, account.credentials, null)
        const [{ messages = [] } = {}] = read._tag === "Page" ? read.conversations : []
        const file = (type: string, contentType: string | null, fileName: string | null = null) => ({
          ...{ type, contentType, fileName, content: { reference: url } }
        })
        expect(
          messages.map(({ attachments, body, content, providerMessageId }) => [
            ...[providerMessageId, body],
            content ?? attachments
          ])
        ).toEqual([
          ["m_7", "Unsupported content: message", { type: "unsupported", kind: "message" }],
          ["m_6", "See\nhttps://shop.example/1", []],
          ["m_5", "", [file("sticker", null)]],
          ["m_4", "The bill", [file("document", "application/pdf", "bill.pdf")]],
          ["m_3", "", [file("audio", "audio/mp4")]],
          ["m_2", "", [file("video", "video/mp4")]],
          ["m_1", "", [file("image", "image/png")]]
        ])
      })
    )
  }

  it.scopedLive("says what to correct if Meta refuses, and fails if it cannot answer", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const read = provider.history(account.connection, account.credentials, null)
      vendor.refuseNext({ code: 200, status: 403 })
      expect(yield* read).toMatchObject({ _tag: "Refused", problem: expect.stringContaining("lacks a permission") })
      vendor.refuseNext({ code: 2, status: 500 })
      expect((yield* Effect.flip(read))._tag).toBe("ProviderUnavailable")
      vendor.answerNext({ status: 200, body: { data: "none" } })
      expect(yield* Effect.flip(read)).toMatchObject({ reason: "an answer of another shape" })
      const unset = provider.history(account.connection, null, null)
      expect((yield* Effect.flip(unset))._tag).toBe("ProviderUnavailable")
    })
  )
})

import { describe, expect, it } from "@effect/vitest"
import { whatsAppChange, whatsAppEntry, whatsAppWebhook, withoutRaw } from "@parley/testkit"
import { Effect } from "effect"
import { parse } from "../src/webhook/parse.js"
import { accountOf } from "./account.js"
import { business, now, opened } from "./opened.js"

const { connection } = accountOf(business)
const own = business.displayNumber.replace(/\D/g, "")
const ada = "16505551234"

/** The events of a change of the field `history`. */
const shared = (value: { readonly [field: string]: unknown }) =>
  Effect.map(
    parse(
      connection,
      whatsAppWebhook(business, [whatsAppEntry(business, [whatsAppChange(business, value, "history")])]),
      now
    ),
    (all) => {
      expect(all.map(({ account }) => account)).toEqual([business.phoneNumberId])
      return all.flatMap(({ events }) => withoutRaw(events))
    }
  )

const chunk = (messages: ReadonlyArray<unknown>, progress = 55) => ({
  history: [{ metadata: { phase: 0, chunk_order: 1, progress }, threads: [{ id: ada, messages }] }]
})
const text = (fields: object) => ({
  id: "wamid.1",
  timestamp: "1739230970",
  type: "text",
  text: { body: "Hi" },
  ...fields
})
const past = (fields: object) => ({
  ...{ providerMessageId: "wamid.1", at: 1_739_230_970_000, status: "sent", body: "Hi" },
  ...{ content: null, quoted: null, attachments: [] },
  ...fields
})

describe("the chat history that a business shares", () => {
  it.effect("has the messages of each customer, with direction, time and status", () =>
    Effect.gen(function* () {
      const context = (status: string) => ({ history_context: { status } })
      expect(
        yield* shared(
          chunk([
            text({ from: ada, id: "1", ...context("READ"), context: { id: "wamid.0" } }),
            text({ from: own, id: "2", ...context("DELIVERED"), timestamp: "1739230971" }),
            text({ from: own, id: "3", ...context("PLAYED") }),
            text({ from: own, id: "4", ...context("ERROR") }),
            text({ from: own, id: "5", ...context("PENDING") }),
            text({ from: ada, id: "6", history_context: { from_me: true, status: "read" } })
          ])
        )
      ).toEqual([
        {
          ...{ _tag: "History", handle: "+16505551234", displayName: null },
          messages: [
            past({
              ...{ direction: "inbound", providerMessageId: "1", status: "read" },
              quoted: { providerMessageId: "wamid.0" }
            }),
            past({ direction: "outbound", providerMessageId: "2", status: "delivered", at: 1_739_230_971_000 }),
            past({ direction: "outbound", providerMessageId: "3", status: "read" }),
            past({ direction: "outbound", providerMessageId: "4", status: "failed" }),
            past({ direction: "outbound", providerMessageId: "5" }),
            past({ direction: "outbound", providerMessageId: "6", status: "read" })
          ]
        }
      ])
    })
  )

  it.effect("keeps what cannot be read as unknown events, and the rest", () =>
    Effect.gen(function* () {
      const events = yield* shared({
        history: [
          null,
          {
            threads: [
              null,
              { id: ada, messages: [null, text({ from: ada }), text({ timestamp: "soon" }), text({ type: "revoke" })] },
              { id: "12125557890", messages: [text({ from: own, group_id: "7" })] }
            ]
          }
        ]
      })
      expect(events.map((event) => (event._tag === "Unknown" ? event.kind : event._tag))).toEqual([
        "history.thread",
        "History",
        "history.message",
        "history.message",
        "history.message",
        "history.message"
      ])
    })
  )

  it.effect("has a file apart from its message, in either direction", () =>
    Effect.gen(function* () {
      const placeholder = { ...text({ from: own, type: "media_placeholder" }), text: undefined }
      expect(yield* shared(chunk([placeholder]))).toMatchObject([
        {
          messages: [
            {
              body: "A file that WhatsApp has not sent",
              content: { type: "unsupported", kind: "media_placeholder" },
              attachments: []
            }
          ]
        }
      ])
      const image = { type: "image", image: { id: "24230790383178626", mime_type: "image/jpeg", caption: "Rose" } }
      const attachments = [
        { type: "image", contentType: "image/jpeg", fileName: null, content: { reference: "24230790383178626" } }
      ]
      expect(
        yield* shared({ messages: [text({ from: ada, ...image }), text({ from: own, to: ada, ...image })] })
      ).toMatchObject([
        { handle: "+16505551234", messages: [{ direction: "inbound", body: "Rose", content: null, attachments }] },
        { handle: "+16505551234", messages: [{ direction: "outbound", body: "Rose", attachments }] }
      ])
      expect(yield* shared({ messages: [text({ from: own, ...image })] })).toMatchObject([
        { _tag: "Unknown", kind: "history.message" }
      ])
    })
  )

  it.effect("tells administrators that it is complete, or that the business shares nothing", () =>
    Effect.gen(function* () {
      const complete = yield* shared(chunk([text({ from: ada })], 100))
      expect(complete[1]).toEqual({
        ...{ _tag: "AccountNotice", at: 1_739_230_970_000 },
        message: "WhatsApp has sent the whole chat history that the business shares."
      })
      for (const [code, problem] of [
        [2593109, "the business does not share it"],
        [7, "error 7"]
      ] as const) {
        expect(yield* shared({ history: [{ errors: [{ code, title: "…" }] }] })).toMatchObject([
          { _tag: "AccountNotice", message: expect.stringContaining(problem), at: now }
        ])
      }
    })
  )
})

describe("history", () => {
  it.scopedLive("asks WhatsApp once, and says that it comes later", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const ask = provider.history(account.connection, account.credentials, null)
      expect(yield* ask).toMatchObject({ _tag: "Requested", detail: expect.stringContaining("180 days") })
      expect(vendor.synced).toEqual(["history"])
      expect(yield* ask).toMatchObject({ _tag: "Refused", problem: expect.stringContaining("once") })
      vendor.refuseNext({ code: 131000, status: 500 })
      expect((yield* Effect.flip(ask))._tag).toBe("ProviderUnavailable")
    })
  )
})

import { describe, expect, it } from "@effect/vitest"
import type { ProviderRequest } from "@parley/core"
import { messengerEntry, messengerWebhook, withoutRaw } from "@parley/testkit"
import { Effect } from "effect"
import { parse } from "../src/webhook/parse.js"
import { accountOf } from "./account.js"
import { now, page } from "./opened.js"

const { connection } = accountOf(page, "facebook")
const at = 1_789_999_999_123

const reported = (request: ProviderRequest) => parse(connection, request, now)

const happened = (fields: object) => ({
  sender: { id: "24" },
  recipient: { id: page.pageId },
  timestamp: at,
  ...fields
})

/** The events of an entry with these `messaging` items. */
const receives = (...messaging: ReadonlyArray<object>) =>
  Effect.map(
    reported(messengerWebhook(page, "page", [messengerEntry(page.pageId, messaging.map(happened))])),
    (all) => {
      expect(all.map(({ account }) => account)).toEqual([page.pageId])
      return all.flatMap(({ events }) => withoutRaw(events))
    }
  )

const said = (fields: object) => ({
  _tag: "Message",
  providerMessageId: "m_1",
  from: "24",
  at,
  body: "",
  content: null,
  subject: null,
  displayName: null,
  attachments: [],
  automatic: false,
  ...fields
})

const message = (fields: object) => ({ message: { mid: "m_1", ...fields } })

it.effect("messages keep Meta's JSON", () =>
  Effect.gen(function* () {
    const item = happened(message({ text: "Hi", odd: [1] }))
    const entry = messengerEntry(page.pageId, [item])
    const [all] = yield* reported(messengerWebhook(page, "page", [entry]))
    expect(all?.events).toMatchObject([{ _tag: "Message", raw: JSON.stringify(item) }])
  })
)

describe("messages", () => {
  for (const [what, fields, body] of [
    ["a text", { text: "Hi" }, "Hi"],
    ["a quick reply without a payload", { text: "Red", quick_reply: {} }, "Red"],
    ["a text with odd fields", { text: "Hi", attachments: null, reply_to: null, is_echo: "no" }, "Hi"],
    [
      "a link",
      { attachments: [{ type: "fallback", payload: { url: "https://x.example", title: "X" } }] },
      "X\nhttps://x.example"
    ],
    [
      "a link beside its payload",
      { attachments: [{ type: "fallback", url: "https://x.example", title: "X", payload: null }] },
      "X\nhttps://x.example"
    ],
    [
      "a link that is in the text",
      { text: "See https://x.example", attachments: [{ type: "fallback", payload: { url: "https://x.example" } }] },
      "See https://x.example"
    ],
    [
      "a post",
      { text: "This?", attachments: [{ type: "share", payload: { url: "https://cdn.example/1" } }] },
      "This?\nhttps://cdn.example/1"
    ],
    [
      "a place in a text",
      {
        text: "Here",
        attachments: [{ type: "location", title: "Parley", payload: { coordinates: { lat: 52.5, long: 13.4 } } }]
      },
      "Here\nParley\n52.5, 13.4"
    ]
  ] as const) {
    it.effect(`reads ${what} as its text`, () =>
      Effect.gen(function* () {
        expect(yield* receives(message(fields))).toEqual([said({ body })])
      })
    )
  }

  const url = "https://scontent.xx.fbcdn.net/v/bill%20%C3%A4.pdf?oh=1"
  for (const [type, payload, expected] of [
    ["image", { url }, { type: "image", fileName: null }],
    ["sticker", { url, sticker_id: 369239263222822 }, { type: "sticker", fileName: null }],
    ["image", { url, sticker_id: 369239263222822 }, { type: "sticker", fileName: null }],
    ["video", { url }, { type: "video", fileName: null }],
    ["audio", { url }, { type: "audio", fileName: null }],
    ["file", { url }, { type: "document", fileName: "bill ä.pdf" }]
  ] as const) {
    it.effect(`refers to the URL of ${JSON.stringify(expected)}`, () =>
      Effect.gen(function* () {
        const attachments = [{ ...expected, contentType: null, content: { reference: url } }]
        expect(yield* receives(message({ attachments: [{ type, payload }] }))).toEqual([said({ attachments })])
      })
    )
  }

  for (const [path, fileName] of [
    ["a/b/report.final.pdf", "report.final.pdf"],
    ["a/b/%E0%A4%A.pdf", "%E0%A4%A.pdf"],
    ["a/b/", null],
    ["ig_messaging_cdn/?asset_id=1.2", null]
  ] as const) {
    it.effect(`finds ${fileName} in ${path}`, () =>
      Effect.gen(function* () {
        const attachments = [{ type: "file", payload: { url: `https://cdn.fbsbx.com/${path}` } }]
        expect(yield* receives(message({ attachments }))).toMatchObject([{ attachments: [{ fileName }] }])
      })
    )
  }

  it.effect("reads every file of a message, and stores unreadable parts raw", () =>
    Effect.gen(function* () {
      const image = { type: "image", payload: { url } }
      const events = yield* receives(message({ text: "Look", attachments: [image, { type: "hologram" }, image] }))
      expect(events).toMatchObject([
        {
          _tag: "Message",
          body: "Look\nUnsupported content: hologram",
          attachments: [{ type: "image" }, { type: "image" }]
        },
        { _tag: "Unknown", kind: "message.attachments", raw: expect.stringContaining("hologram") }
      ])
    })
  )

  it.effect("omits an image only if it is the copy of a sticker", () =>
    Effect.gen(function* () {
      const one = (type: string, sticker_id?: number) => ({ type, payload: { url, sticker_id } })
      const attachments = [one("image", 7), one("sticker", 7), one("image", 8), one("image"), one("sticker")]
      const [event] = yield* receives(message({ attachments }))
      expect(event).toMatchObject({
        attachments: ["sticker", "sticker", "image", "sticker"].map((type) => ({ type }))
      })
    })
  )

  it.effect("omits URLs longer than a file reference", () =>
    Effect.gen(function* () {
      const attachments = [{ type: "image", payload: { url: `https://x/${"x".repeat(4_000)}` } }]
      expect(yield* receives(message({ attachments }))).toMatchObject([
        { _tag: "Message", attachments: [], content: { type: "unsupported", kind: "image" } },
        { _tag: "Unknown", kind: "message.attachments" }
      ])
    })
  )

  for (const [what, postback, expected] of [
    [
      "its title",
      { mid: "m_1", title: "Start", payload: "START" },
      { body: "Start", content: { type: "choice", id: "START", title: "Start" } }
    ],
    [
      "its payload",
      { mid: "m_1", payload: "START" },
      { body: "START", content: { type: "choice", id: "START", title: "START" } }
    ],
    [
      "who pressed it, and when",
      { title: "Start" },
      {
        body: "Start",
        content: { type: "choice", id: null, title: "Start" },
        providerMessageId: `postback.24.${at}`
      }
    ]
  ] as const) {
    it.effect(`reads a postback by ${what}`, () =>
      Effect.gen(function* () {
        expect(yield* receives({ postback })).toEqual([said(expected)])
      })
    )
  }

  for (const [kind, fields] of [
    ["message.echo", { ...message({ is_echo: true, is_deleted: true }), recipient: {} }],
    ["message.echo", { ...message({ text: "Without a recipient", is_echo: true }), recipient: {} }],
    ["message.echo", { ...message({ text: "To myself", is_echo: true }), recipient: { id: "24" } }],
    ["message", { message: { text: "without an id" } }],
    ["reaction", { reaction: { reaction: "love" } }],
    ["reaction", { sender: { id: page.pageId }, reaction: { mid: "m_1", action: "react", emoji: "❤" } }],
    ["referral", { referral: {} }],
    ["message_edit", { message_edit: { text: "Better" } }],
    ["policy_enforcement", { policy_enforcement: { action: "praise" } }],
    ["account_linking", { account_linking: { status: "linked" } }],
    ["postback", { postback: {} }],
    ["postback", { postback: { title: "Start" }, timestamp: null }],
    ["delivery", { delivery: {} }],
    ["read", { read: { seq: 37 } }],
    ["messaging", {}]
  ] as const) {
    it.effect(`keeps a ${kind} that it does not know: ${JSON.stringify(fields)}`, () =>
      Effect.gen(function* () {
        expect(yield* receives(fields)).toEqual([{ _tag: "Unknown", kind, raw: JSON.stringify(happened(fields)) }])
      })
    )
  }
})

describe("echoes of what the business wrote elsewhere", () => {
  const business = { sender: { id: page.pageId }, recipient: { id: "24" } }
  const echo = (fields: object) => ({
    _tag: "Echo",
    providerMessageId: "m_1",
    to: "24",
    at,
    body: "",
    content: null,
    quoted: null,
    attachments: [],
    mayBeOwn: true,
    ...fields
  })
  for (const [what, fields, expected] of [
    ["the inbox", { text: "We are open", app_id: 2 }, { body: "We are open" }],
    ["another system", { text: "Packed", metadata: "order 7" }, { body: "Packed" }],
    ["an answer", { text: "Yes", reply_to: { mid: "m_0" } }, { body: "Yes", quoted: { providerMessageId: "m_0" } }],
    [
      "a file",
      { attachments: [{ type: "image", payload: { url: "https://x.fbcdn.net/1" } }] },
      {
        attachments: [
          { type: "image", contentType: null, fileName: null, content: { reference: "https://x.fbcdn.net/1" } }
        ]
      }
    ],
    [
      "a card",
      { attachments: [{ type: "template", payload: {} }] },
      { body: "Unsupported content: template", content: { type: "unsupported", kind: "template" } }
    ]
  ] as const) {
    it.effect(`reads ${what}`, () =>
      Effect.gen(function* () {
        const events = yield* receives({ ...business, ...message({ ...fields, is_echo: true }) })
        expect(events).toEqual([echo(expected)])
      })
    )
  }
  it.effect("reads a deletion, also of a message of ours", () =>
    Effect.gen(function* () {
      const metadata = "01900000-0000-7000-8000-000000000001"
      const deleted = message({ text: "Taken back", metadata, is_echo: true, is_deleted: true })
      const { mayBeOwn: _, ...deletion } = echo({
        providerMessageId: "deletion.m_1",
        body: "Message deleted",
        content: { type: "deletion" },
        quoted: { providerMessageId: "m_1" }
      })
      expect(yield* receives({ ...business, ...deleted })).toEqual([deletion])
    })
  )
  it.effect("takes the time of the request if Meta sends none", () =>
    Effect.gen(function* () {
      const events = yield* receives({ ...business, ...message({ text: "Hi", is_echo: true }), timestamp: null })
      expect(events).toEqual([echo({ body: "Hi", at: now })])
    })
  )
})

describe("policy enforcement", () => {
  const enforced = (policy_enforcement: object, timestamp: unknown = at) =>
    receives({ sender: undefined, timestamp, policy_enforcement })
  const blocked = "Meta has blocked the account for breaking its policies."
  for (const [action, reason, message, refusal] of [
    ["warning", "Spam.", "Meta warns that the account breaks its policies. Spam.", null],
    ["block", "Spam.", `${blocked} Spam.`, { providerCode: "block", providerMessage: blocked }],
    [
      "unblock",
      undefined,
      "Meta has ended the block of the account. Make its disconnected connection active again.",
      null
    ]
  ] as const) {
    it.effect(`is news for administrators: ${action}`, () =>
      Effect.gen(function* () {
        expect(yield* enforced({ action, reason })).toEqual([{ _tag: "AccountNotice", message, at, refusal }])
      })
    )
  }
  it.effect("takes the time of the request if Meta sends none", () =>
    Effect.gen(function* () {
      expect(yield* enforced({ action: "warning" }, null)).toMatchObject([{ at: now }])
    })
  )
})

describe("the service window", () => {
  for (const [what, fields, opensWindow] of [
    ["is opened by a reaction", { reaction: { mid: "m_1", action: "react", emoji: "❤" } }, true],
    ["is not opened by a reaction that is taken back", { reaction: { mid: "m_1", action: "unreact" } }, false],
    ["is opened by an m.me link", { referral: { ref: "r", source: "SHORTLINK", type: "OPEN_THREAD" } }, true],
    ["is opened by an ig.me link", { referral: { ref: "r", source: "IGME-SOURCE-LINK", type: "OPEN_THREAD" } }, true],
    ["is not opened by an advertisement alone", { referral: { source: "ADS", ad_id: "6" } }, false]
  ] as const) {
    it.effect(what, () =>
      Effect.gen(function* () {
        expect(yield* receives(fields)).toMatchObject([{ _tag: "Message", opensWindow }])
      })
    )
  }
})

describe("comments", () => {
  const comment = (value: object = {}, field = "comments") => ({
    field,
    value: { id: "17", from: { id: "24", username: "ada" }, media: { id: "90" }, text: "How much?", ...value }
  })
  /** The events of an entry with these `changes`, by default of the Instagram account. */
  const changed = (object: "page" | "instagram", ...changes: ReadonlyArray<object>) =>
    Effect.map(
      reported(messengerWebhook(page, object, [messengerEntry(page.instagramId, [], { changes })])),
      ([entry = expect.fail("nothing is reported")]) => entry.events
    )
  const notice = (fields: object = {}) =>
    said({
      providerMessageId: "comment.17",
      // It opens no service window.
      at: undefined,
      body: "How much?",
      content: { type: "system", event: "comments" },
      displayName: "ada",
      referral: {
        source: "post",
        sourceId: "90",
        ...{ clickId: null, headline: null, body: null, url: null, ref: null }
      },
      ...fields
    })

  const commentOnPage = (value: object = {}) => ({
    field: "feed",
    value: {
      ...{ item: "comment", verb: "add", comment_id: "90_17", post_id: "7_90", parent_id: "7_90" },
      ...{ from: { id: "24", name: "Ada Lovelace" }, message: "How much?", created_time: 1_790_000_000 },
      ...value
    }
  })

  it.effect("on a Page are notices from their authors, with the post that they are on", () =>
    Effect.gen(function* () {
      const [event] = withoutRaw(yield* changed("page", commentOnPage()))
      expect(event).toEqual(
        notice({
          providerMessageId: "comment.90_17",
          content: { type: "system", event: "feed" },
          displayName: "Ada Lovelace",
          referral: {
            source: "post",
            sourceId: "7_90",
            ...{ clickId: null, headline: null, body: null, url: null, ref: null }
          }
        })
      )
    })
  )

  it.effect("on another comment of a Page quote it, and bring their files", () =>
    Effect.gen(function* () {
      const files = { message: undefined, photo: "https://scontent.fbcdn.net/1.jpg" }
      const events = yield* changed("page", commentOnPage({ parent_id: "90_16" }), commentOnPage(files))
      expect(events).toMatchObject([
        { quoted: { providerMessageId: "comment.90_16" }, attachments: [] },
        { body: "", attachments: [{ type: "image", content: { reference: "https://scontent.fbcdn.net/1.jpg" } }] }
      ])
    })
  )

  it.effect("on a Page are edited and deleted by further events, whose repetition has the same ids", () =>
    Effect.gen(function* () {
      const changes = [commentOnPage({ verb: "edited", message: "How many?" }), commentOnPage({ verb: "remove" })]
      const events = yield* changed("page", ...changes)
      expect(events).toMatchObject([
        { body: "How many?", content: { type: "edit" }, quoted: { providerMessageId: "comment.90_17" } },
        { content: { type: "deletion" }, quoted: { providerMessageId: "comment.90_17" } }
      ])
      expect(yield* changed("page", ...changes)).toEqual(events)
      const [again] = yield* changed("page", commentOnPage({ verb: "edited", message: "How much?" }))
      const ids = [...events, again].map((event) => (event?._tag === "Message" ? event.providerMessageId : null))
      expect(new Set(ids).size).toBe(3)
    })
  )

  it.effect("on Instagram are notices from their authors, with the post that they are on", () =>
    Effect.gen(function* () {
      expect(withoutRaw(yield* changed("instagram", comment()))).toEqual([notice()])
    })
  )

  it.effect("on a live video, an advertisement and another comment say so", () =>
    Effect.gen(function* () {
      const events = yield* changed(
        "instagram",
        comment({ text: undefined }, "live_comments"),
        comment({ media: { id: "90", ad_id: "6", ad_title: "Bread" } }),
        comment({ parent_id: "16" })
      )
      expect(events).toMatchObject([
        { body: "Comment", content: { type: "system", event: "live_comments" }, referral: { source: "live_video" } },
        { referral: { source: "ads", sourceId: "6", headline: "Bread" } },
        { quoted: { providerMessageId: "comment.16" } }
      ])
    })
  )

  it.effect("are read beside odd fields", () =>
    Effect.gen(function* () {
      const [event] = yield* changed("instagram", comment({ id: 17, from: { id: 24, username: null }, media: null }))
      expect(event).toMatchObject({ providerMessageId: "comment.17", from: "24", displayName: null })
    })
  )

  for (const [what, object, change] of [
    ["of the account itself", "instagram", comment({ from: { id: page.instagramId, username: "shop" } })],
    ["of the account under its other id", "instagram", comment({ from: { id: "99", self_ig_scoped_id: "99" } })],
    ["without an author", "instagram", comment({ from: null })],
    ["without an id", "instagram", comment({ id: null })],
    ["in which it is mentioned", "instagram", comment({}, "mentions")],
    ["of the Page itself", "page", commentOnPage({ from: { id: page.instagramId } })],
    ["on a Page without an author", "page", commentOnPage({ from: undefined })],
    ["on a Page without an id", "page", commentOnPage({ comment_id: null })],
    ["hidden by the Page", "page", commentOnPage({ verb: "hide" })],
    ["reactions to posts of a Page", "page", commentOnPage({ item: "reaction" })],
    ["on a Page by another name", "page", comment()]
  ] as const) {
    it.effect(`are unknown events if they are ${what}`, () =>
      Effect.gen(function* () {
        expect(yield* changed(object, change)).toEqual([
          { _tag: "Unknown", kind: "change", raw: JSON.stringify(change) }
        ])
      })
    )
  }
})

describe("referrals", () => {
  it.effect("are read from messages, postbacks and events, with stories", () =>
    Effect.gen(function* () {
      const referral = {
        ref: "r",
        source: "ADS",
        ad_id: "6",
        ads_context_data: { ad_title: "Bread", photo_url: "https://p" }
      }
      const events = yield* receives(
        message({ text: "Hi", referral }),
        { postback: { mid: "m_2", title: "Start", referral } },
        { referral },
        message({ text: "Lovely", reply_to: { story: { id: "17", url: "https://s" } } })
      )
      const ad = { source: "ads", sourceId: "6", headline: "Bread", url: "https://p", ref: "r" }
      expect(events.map((event) => "referral" in event && event.referral)).toMatchObject([
        ad,
        ad,
        ad,
        { source: "story", sourceId: "17", url: "https://s" }
      ])
    })
  )
})

describe("receipts", () => {
  const receipt = (mid: string, status: string, messageId: string | null = null, when = at) => ({
    _tag: "Receipt",
    providerMessageId: mid,
    messageId,
    receipt: { status, at: when, error: null }
  })

  it.effect("matches a message by its echo after a lost response", () =>
    Effect.gen(function* () {
      const metadata = "01900000-0000-7000-8000-000000000001"
      const echo = { ...message({ text: "Hello", is_echo: true, app_id: 1, metadata }), recipient: { id: "25" } }
      const [event, ...others] = yield* receives(echo)
      expect(event).toMatchObject({ _tag: "Echo", providerMessageId: "m_1", messageId: metadata, at, body: "Hello" })
      expect(event).not.toHaveProperty("mayBeOwn")
      expect(others).toEqual([])
    })
  )

  it.effect("reads delivered messages by id, otherwise by watermark", () =>
    Effect.gen(function* () {
      const events = yield* receives(
        { delivery: { mids: ["m_1", "m_2"], watermark: at - 5 } },
        { delivery: { watermark: at - 5 } },
        { delivery: { mids: [], watermark: at - 5 } }
      )
      const watermark = { _tag: "Watermark", handle: "24", status: "delivered", upTo: at - 5 }
      expect(events).toEqual([receipt("m_1", "delivered"), receipt("m_2", "delivered"), watermark, watermark])
    })
  )

  it.effect("reads the watermark of read messages, or a single message", () =>
    Effect.gen(function* () {
      expect(yield* receives({ read: { watermark: at } }, { read: { mid: "m_1" } })).toEqual([
        { _tag: "Watermark", handle: "24", status: "read", upTo: at },
        receipt("m_1", "read")
      ])
    })
  )

  it.effect("uses the time of arrival if Meta's time is invalid", () =>
    Effect.gen(function* () {
      const read = { mid: "m_1" }
      const events = yield* receives(
        { read, timestamp: undefined },
        { read, timestamp: String(at) },
        { read, timestamp: 0 }
      )
      expect(events).toEqual([
        receipt("m_1", "read", null, now),
        receipt("m_1", "read"),
        receipt("m_1", "read", null, now)
      ])
    })
  )
})

describe("requests", () => {
  it.effect("lose nothing by an odd field beside a message", () =>
    Effect.gen(function* () {
      const said = happened({
        sender: { id: 24 },
        postback: null,
        message: { mid: "m_1", text: "Hi", reply_to: { story: null } }
      })
      const watermarked = { delivery: { mids: [null, "m_2"], watermark: String(at) }, sender: { id: "24" } }
      const entry = {
        id: Number(page.pageId),
        time: at,
        changes: null,
        standby: {},
        messaging: [null, said, watermarked, { sender: { id: "24" }, read: { watermark: String(at) } }]
      }
      const [{ account, events } = expect.fail("nothing is reported")] = yield* reported(
        messengerWebhook(page, "page", [entry])
      )
      expect(account).toBe(page.pageId)
      expect(events).toMatchObject([
        { _tag: "Unknown" },
        { _tag: "Message", from: "24", body: "Hi" },
        { _tag: "Receipt", providerMessageId: "m_2" },
        { _tag: "Watermark", status: "read", upTo: at }
      ])
    })
  )

  const text = (mid: string) => happened({ message: { mid, text: mid } })

  it.effect("group events by account in order, on both channels", () =>
    Effect.gen(function* () {
      for (const object of ["page", "instagram"] as const) {
        const all = yield* reported(
          messengerWebhook(page, object, [
            messengerEntry("1", [text("a"), text("b")]),
            messengerEntry("2", [text("c")]),
            messengerEntry("1", [text("d")], { changes: [{ field: "feed", value: 1 }], standby: [text("e")] })
          ])
        )
        const ids = all.map(
          ({ account, events }) =>
            [
              account,
              events.map((event) =>
                event._tag === "Message" ? event.providerMessageId : event._tag === "Unknown" ? event.kind : event._tag
              )
            ] as const
        )
        expect(new Map(ids)).toEqual(
          new Map([
            ["1", ["a", "b", "d", "standby", "change"]],
            ["2", ["c"]]
          ])
        )
      }
    })
  )

  const body = (json: string): ProviderRequest => ({ ...messengerWebhook(page, "page", []), body: Buffer.from(json) })

  for (const json of [
    "",
    "not JSON",
    "null",
    "[]",
    '{"object":"page"}',
    '{"object":"page","entry":{}}',
    '{"entry":[]}'
  ]) {
    it.effect(`are refused that are ${JSON.stringify(json)}`, () =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(reported(body(json)))).toMatchObject({ _tag: "WebhookUnreadable" })
      })
    )
  }

  it.effect("are read beside too deeply nested ones", () =>
    Effect.gen(function* () {
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
      const sent = `{"sender":{"id":"2"},"recipient":{"id":"1"},"timestamp":1,"message":{"mid":"m","text":"hi"}}`
      const entries = `${deep},{"id":"1","messaging":[${deep},${sent}],"changes":[${deep}]}`
      const accounts = yield* reported(body(`{"object":"page","entry":[${entries}]}`))
      expect(
        accounts.map(({ account, events }) => [
          account,
          events.map((event) => ("kind" in event ? event.kind : event._tag))
        ])
      ).toEqual([
        ["1", ["messaging", "Message", "change"]],
        [null, ["entry"]]
      ])
    })
  )

  it.effect("of other objects and entries of another shape are stored raw", () =>
    Effect.gen(function* () {
      expect(yield* reported(body('{"object":"whatsapp_business_account","entry":[{"id":"1"}]}'))).toEqual([
        { account: null, events: [{ _tag: "Unknown", kind: "whatsapp_business_account", raw: '{"id":"1"}' }] }
      ])
      expect(yield* reported(messengerWebhook(page, "page", [7]))).toEqual([
        { account: null, events: [{ _tag: "Unknown", kind: "entry", raw: "7" }] }
      ])
      expect(yield* reported(messengerWebhook(page, "page", [{ id: "1" }]))).toEqual([
        { account: "1", events: [{ _tag: "Unknown", kind: "entry", raw: '{"id":"1"}' }] }
      ])
    })
  )
})

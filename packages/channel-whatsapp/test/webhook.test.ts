import { describe, expect, it } from "@effect/vitest"
import type { AccountEvents, ProviderRequest } from "@parley/core"
import { whatsAppChange, whatsAppEntry, whatsAppWebhook, withoutRaw } from "@parley/testkit"
import { Effect } from "effect"
import { parse } from "../src/webhook/parse.js"
import { whatsapp } from "../src/whatsapp.js"
import { accountOf } from "./account.js"
import { business, now } from "./opened.js"

const { connection } = accountOf(business)

const reported = (request: ProviderRequest): Effect.Effect<ReadonlyArray<AccountEvents>, unknown> =>
  parse(connection, request, now)

const receives = (value: { readonly [field: string]: unknown }, field?: string) =>
  Effect.map(
    reported(whatsAppWebhook(business, [whatsAppEntry(business, [whatsAppChange(business, value, field)])])),
    (all) => {
      expect(all.map(({ account }) => account)).toEqual([business.phoneNumberId])
      return all.flatMap(({ events }) => withoutRaw(events))
    }
  )

const message = (fields: object) => ({ from: "16505551234", id: "wamid.1", timestamp: "1790000000", ...fields })
const said = (fields: object) => ({
  _tag: "Message",
  providerMessageId: "wamid.1",
  from: "+16505551234",
  at: 1_790_000_000_000,
  body: "",
  subject: null,
  displayName: null,
  attachments: [],
  automatic: false,
  ...fields
})

describe("messages", () => {
  for (const [type, content, expected] of [
    ["text", { body: "Hi" }, { body: "Hi" }],
    ["button", { text: "Yes", payload: "y" }, { body: "Yes", content: { type: "choice", id: "y", title: "Yes" } }],
    [
      "interactive",
      { type: "button_reply", button_reply: { id: "1", title: "Later" } },
      { body: "Later", content: { type: "choice", id: "1", title: "Later" } }
    ],
    [
      "interactive",
      { type: "list_reply", list_reply: { id: "2", title: "Red", description: "…" } },
      { body: "Red", content: { type: "choice", id: "2", title: "Red" } }
    ],
    [
      "location",
      { latitude: 52.52, longitude: "13.405", name: "Parley", address: null },
      {
        body: "Parley\n52.52, 13.405",
        content: { type: "location", latitude: 52.52, longitude: 13.405, name: "Parley", address: null, url: null }
      }
    ],
    [
      "contacts",
      [{ name: { formatted_name: "Ada L", last_name: null }, phones: [null, { phone: "+49 1" }], emails: "none" }],
      {
        body: "Ada L\n+49 1",
        content: {
          type: "contacts",
          contacts: [{ name: "Ada L", organization: null, phones: ["+49 1"], emails: [] }]
        }
      }
    ],
    [
      "reaction",
      { message_id: "wamid.0", emoji: "👍" },
      { body: "👍", content: { type: "reaction", emoji: "👍" }, quoted: { providerMessageId: "wamid.0" } }
    ],
    [
      "reaction",
      { message_id: "wamid.0", emoji: "" },
      {
        body: "Reaction removed",
        content: { type: "reaction", emoji: null },
        quoted: { providerMessageId: "wamid.0" }
      }
    ],
    [
      "revoke",
      { original_message_id: "wamid.0" },
      { body: "Message deleted", content: { type: "deletion" }, quoted: { providerMessageId: "wamid.0" } }
    ],
    [
      "edit",
      { original_message_id: "wamid.0", message: null },
      { content: { type: "edit" }, quoted: { providerMessageId: "wamid.0" } }
    ],
    ["revoke", {}, { body: "Unsupported content: revoke", content: { type: "unsupported", kind: "revoke" } }],
    ["edit", null, { body: "Unsupported content: edit", content: { type: "unsupported", kind: "edit" } }],
    [
      "unsupported",
      { type: "poll_creation" },
      { body: "Unsupported content: poll_creation", content: { type: "unsupported", kind: "poll_creation" } }
    ],
    [
      "unsupported",
      { type: "unknown" },
      { body: "Unsupported content: unsupported", content: { type: "unsupported", kind: "unsupported" } }
    ],
    ["hologram", {}, { body: "Unsupported content: hologram", content: { type: "unsupported", kind: "hologram" } }],
    ["image", {}, { body: "Unsupported content: image", content: { type: "unsupported", kind: "image" } }]
  ] as const) {
    it.effect(`reads a ${type} as ${JSON.stringify("body" in expected ? expected.body : "")}`, () =>
      Effect.gen(function* () {
        expect(yield* receives({ messages: [message({ type, [type]: content })] })).toEqual([said(expected)])
      })
    )
  }

  for (const type of ["image", "video", "audio", "document", "sticker"]) {
    it.effect(`refers to the file of a message with ${type}`, () =>
      Effect.gen(function* () {
        const bare = { id: "1013859600285441" }
        const whole = { ...bare, mime_type: "application/pdf", filename: "bill.pdf", caption: "Here", sha256: "…" }
        const content = { reference: bare.id }
        expect(
          yield* receives({ messages: [message({ type, [type]: bare }), message({ type, [type]: whole })] })
        ).toEqual([
          said({ attachments: [{ type, contentType: null, fileName: null, content }] }),
          said({
            body: "Here",
            attachments: [{ type, contentType: "application/pdf", fileName: "bill.pdf", content }]
          })
        ])
      })
    )
  }

  it.effect("reads a message and a name despite null fields", () =>
    Effect.gen(function* () {
      const events = yield* receives({
        contacts: [{ profile: { name: "Ada", username: null }, wa_id: "16505551234", user_id: null }],
        messages: [message({ from_user_id: null, group_id: null, type: "text", text: { body: "Hi" } })]
      })
      expect(events).toEqual([said({ body: "Hi", displayName: "Ada" })])
    })
  )

  it.effect("links a customer's number and id despite a null profile", () =>
    Effect.gen(function* () {
      const contacts = [{ profile: null, wa_id: "16505551234", user_id: "US.1349" }]
      const events = yield* receives({ contacts, messages: [message({ type: "text", text: { body: "Hi" } })] })
      expect(events).toEqual([said({ body: "Hi", otherHandle: "US.1349" })])
    })
  )

  it.effect("are read beside null lists", () =>
    Effect.gen(function* () {
      const lists = { contacts: null, statuses: null, message_echoes: null, user_preferences: null }
      const events = yield* receives({ ...lists, messages: [message({ type: "text", text: { body: "Hi" } })] })
      expect(events).toEqual([said({ body: "Hi" })])
    })
  )

  it.effect("are read beside lists and ids of another shape, which are kept as unknown", () =>
    Effect.gen(function* () {
      const odd = { contacts: {}, statuses: "x" }
      const hi = message({ type: "text", text: { body: "Hi" } })
      expect(yield* receives({ ...odd, messages: [hi] })).toEqual([
        said({ body: "Hi" }),
        { _tag: "Unknown", kind: "messages", raw: JSON.stringify(odd) }
      ])
      const value = { metadata: { phone_number_id: 106540352242922 }, messages: [hi] }
      const entries = [
        { id: 1, changes: [null, { field: "messages", value }] },
        { id: 2, changes: {} }
      ]
      const all = yield* reported(whatsAppWebhook(business, entries))
      expect(all.map(({ account, events }) => [account, withoutRaw(events)])).toEqual([
        [
          null,
          [
            { _tag: "Unknown", kind: "change", raw: "null" },
            { _tag: "Unknown", kind: "entry", raw: JSON.stringify(entries[1]) }
          ]
        ],
        ["106540352242922", [said({ body: "Hi" })]]
      ])
    })
  )

  it.effect("are unsupported without a type", () =>
    Effect.gen(function* () {
      const content = { type: "unsupported", kind: "message" }
      expect(yield* receives({ messages: [message({ type: 7 })] })).toEqual([
        said({ body: "Unsupported content: message", content })
      ])
    })
  )

  it.effect("reads what a message quotes, that it is forwarded, and the advertisement", () =>
    Effect.gen(function* () {
      const referral = { source_type: "ad", source_id: "9", source_url: null, headline: "Sale", ctwa_clid: "c" }
      const context = { id: "wamid.0", frequently_forwarded: true }
      const events = yield* receives({ messages: [message({ type: "text", text: { body: "Hi" }, context, referral })] })
      expect(events).toEqual([
        said({
          body: "Hi",
          quoted: { providerMessageId: "wamid.0" },
          forwarded: true,
          referral: { source: "ad", sourceId: "9", clickId: "c", headline: "Sale", body: null, url: null, ref: null }
        })
      ])
    })
  )

  it.effect("count as written now if their time cannot be read", () =>
    Effect.gen(function* () {
      for (const timestamp of [undefined, "", "soon"]) {
        const [event] = yield* receives({ messages: [message({ timestamp, type: "text", text: { body: "Hi" } })] })
        expect(event).not.toHaveProperty("at")
      }
    })
  )

  it.effect("identifies a customer with a hidden number by id", () =>
    Effect.gen(function* () {
      const events = yield* receives({
        contacts: [{ profile: { username: "ada" }, user_id: "US.1349" }],
        messages: [message({ from: undefined, from_user_id: "US.1349", type: "text", text: { body: "Hi" } })]
      })
      expect(events).toEqual([said({ from: "US.1349", substitute: true, body: "Hi", displayName: "ada" })])
    })
  )

  for (const [source, contact, from] of [
    ["the message", {}, { from_user_id: "US.1349" }],
    ["its contact", { user_id: "US.1349" }, {}]
  ] as const) {
    it.effect(`names the id beside the number, from ${source}`, () =>
      Effect.gen(function* () {
        const events = yield* receives({
          contacts: [{ profile: {}, wa_id: "16505551234", ...contact }],
          messages: [message({ ...from, type: "text", text: { body: "Hi" } })]
        })
        expect(events).toEqual([said({ body: "Hi", displayName: null, otherHandle: "US.1349" })])
      })
    )
  }

  it.effect("assigns each customer of a change their own name", () =>
    Effect.gen(function* () {
      const text = { type: "text", text: { body: "" } }
      const events = yield* receives({
        contacts: [
          { profile: { name: "Ada" }, wa_id: "16505551234" },
          { profile: {}, wa_id: "1" },
          { profile: { name: "Bob" }, wa_id: "16505559999" },
          "nobody"
        ],
        messages: [message({ from: "16505559999", ...text }), message(text), message({ from: "16505550000", ...text })]
      })
      expect(events.map((event) => event._tag === "Message" && event.displayName)).toEqual(["Bob", "Ada", null])
    })
  )

  for (const [system, to] of [
    [{ type: "user_changed_number", wa_id: "16505550000", body: "…" }, "+16505550000"],
    [{ type: "customer_changed_number", new_wa_id: "16505550000" }, "+16505550000"],
    [{ type: "user_changed_number", user_id: "US.77" }, "US.77"],
    [{ type: "user_changed_user_id", wa_id: "16505550000", user_id: "US.77" }, "US.77"]
  ] as const) {
    it.effect(`follows a ${system.type} to ${to}`, () =>
      Effect.gen(function* () {
        const events = yield* receives({ messages: [message({ type: "system", system })] })
        expect(events).toEqual([{ _tag: "HandleChanged", from: "+16505551234", to }])
      })
    )
  }

  it.effect("the first opening of the chat opens the service window, and other notices do not", () =>
    Effect.gen(function* () {
      const events = yield* receives({
        messages: [
          message({ type: "request_welcome" }),
          message({ type: "system", system: { type: "customer_identity_changed", body: "…" } })
        ]
      })
      expect(events.map((event) => event._tag === "Message" && event.opensWindow)).toEqual([true, undefined])
    })
  )

  for (const [kind, fields] of [
    ["message.group", { type: "text", text: { body: "Hi" }, group_id: "g" }],
    ["message", { from: null, type: "text", text: { body: "Hi" } }]
  ] as const) {
    it.effect(`keeps a ${kind} that it does not know`, () =>
      Effect.gen(function* () {
        const raw = message(fields)
        expect(yield* receives({ messages: [raw] })).toEqual([{ _tag: "Unknown", kind, raw: JSON.stringify(raw) }])
      })
    )
  }
})

it.effect("messages and echoes keep Meta's JSON", () =>
  Effect.gen(function* () {
    const text = message({ type: "text", text: { body: "Hi" }, context: { odd: [1] } })
    const echo = { to: "16505551234", id: "wamid.2", timestamp: "1790000000", type: "text", text: { body: "Hello" } }
    const entries = [
      whatsAppEntry(business, [
        whatsAppChange(business, { messages: [text] }),
        whatsAppChange(business, { message_echoes: [echo] }, "smb_message_echoes")
      ])
    ]
    const events = (yield* reported(whatsAppWebhook(business, entries))).flatMap(({ events }) => events)
    expect(events).toMatchObject([{ raw: JSON.stringify(text) }, { raw: JSON.stringify(echo) }])
  })
)

describe("the price of a message", () => {
  it.effect("comes with its statuses, field by field", () =>
    Effect.gen(function* () {
      const billingOf = (pricing: unknown) =>
        Effect.map(
          receives({ statuses: [{ id: "wamid.1", status: "sent", recipient_id: "16505551234", pricing }] }),
          ([event]) => (event?._tag === "Receipt" ? event.receipt.billing : "no receipt")
        )
      const known = { billable: true, category: "utility", model: "PMP", price: null, currency: null }
      expect(yield* billingOf({ billable: true, pricing_model: "PMP", category: "utility", type: "regular" })).toEqual({
        pricing: known
      })
      expect(yield* billingOf({ billable: "yes", category: "utility", pricing_model: 1 })).toEqual({
        pricing: { ...known, billable: null, model: null }
      })
      for (const nothing of [undefined, null, "free", []]) expect(yield* billingOf(nothing)).toBeUndefined()
    })
  )
})

describe("statuses", () => {
  const status = (fields: object) => ({ id: "wamid.1", status: "read", timestamp: "1790000001", ...fields })
  const receipt = (fields: object, messageId: string | null = null) => ({
    _tag: "Receipt",
    providerMessageId: "wamid.1",
    messageId,
    receipt: { status: "read", at: 1_790_000_001_000, error: null, ...fields }
  })

  it.effect("accepts only our own message id", () =>
    Effect.gen(function* () {
      const id = "01900000-0000-7000-8000-000000000001"
      const statuses = [id, "order 7", undefined].map((data) => status({ biz_opaque_callback_data: data }))
      expect(yield* receives({ statuses })).toEqual([receipt({}, id), receipt({}), receipt({})])
    })
  )

  it.effect("are read despite null or odd optional fields", () =>
    Effect.gen(function* () {
      const optional = [
        "timestamp",
        "recipient_id",
        "recipient_user_id",
        "biz_opaque_callback_data",
        "pricing",
        "errors"
      ]
      const statuses = optional.flatMap((field) => [
        status({ [field]: null }),
        status({ [field]: [{}] }),
        status({ status: "failed", [field]: null })
      ])
      const events = yield* receives({ statuses })
      expect(events.map((event) => event._tag === "Receipt" && event.receipt.status)).toEqual(
        optional.flatMap(() => ["read", "read", "failed"])
      )
      const byId = status({
        status: "failed",
        recipient_id: null,
        recipient_user_id: "US.1",
        errors: [{ code: 131050 }]
      })
      expect(yield* receives({ statuses: [byId] })).toMatchObject([{}, { _tag: "OptOut", handle: "US.1" }])
    })
  )

  it.effect("uses the time of arrival if Meta's time is invalid", () =>
    Effect.gen(function* () {
      const statuses = ["", "soon", undefined, 1_790_000_001].map((timestamp) => status({ timestamp }))
      expect(yield* receives({ statuses })).toEqual([
        receipt({ at: now }),
        receipt({ at: now }),
        receipt({ at: now }),
        receipt({})
      ])
    })
  )

  for (const [code, error] of [
    [131047, { code: "outside_service_window", message: "The customer's last message is more than 24 hours old." }],
    [132015, { code: "template_not_approved", message: "WhatsApp has paused the template for its quality." }],
    [131000, { code: "provider_error", message: "WhatsApp could not deliver the message." }],
    [undefined, { code: "provider_error", message: "WhatsApp did not take the message." }]
  ] as const) {
    it.effect(`says in our own words why a message failed with ${code}`, () =>
      Effect.gen(function* () {
        const errors = code === undefined ? [] : [{ code, title: "Theirs", message: "Theirs" }]
        const events = yield* receives({ statuses: [status({ status: "failed", errors })] })
        const provider = code === undefined ? {} : { provider: { code: `${code}`, message: "Theirs" } }
        expect(events).toEqual([receipt({ status: "failed", error: { ...error, ...provider } })])
      })
    )
  }

  it.effect("has Meta's code and most detailed words for administrators", () =>
    Effect.gen(function* () {
      const errors = [
        { code: 131008, title: "Short", message: "Longer", error_data: { details: "Longest" } },
        { code: 135000, title: "Short" },
        { code: 1, error_data: null }
      ]
      const statuses = errors.map((error) => status({ status: "failed", errors: [error] }))
      const events = yield* receives({ statuses })
      expect(events.map((event) => event._tag === "Receipt" && event.receipt.error?.provider)).toEqual([
        { code: "131008", message: "Longest" },
        { code: "135000", message: "Short" },
        { code: "1", message: "" }
      ])
    })
  )

  it.effect("reports a refused account if a message failed because of it", () =>
    Effect.gen(function* () {
      const failedWith = (code: number) => status({ status: "failed", errors: [{ code }] })
      const events = yield* receives({ statuses: [131042, 190, 131026].map(failedWith) })
      expect(events.map((event) => event._tag === "Receipt" && event.refusal)).toEqual([
        {
          providerCode: "131042",
          providerMessage: "WhatsApp cannot bill the account: its payment method needs attention."
        },
        { providerCode: "190", providerMessage: "The access token is not valid, or has expired." },
        undefined
      ])
    })
  )

  it.effect("reads a marketing opt-out from a failure, for the contact of the message and for the number", () =>
    Effect.gen(function* () {
      // That of another program may be a UUID too.
      const biz_opaque_callback_data = "01900000-0000-7000-8000-000000000001"
      const errors = [{ code: 131050 }]
      const ours = status({ status: "failed", recipient_id: "5215512345678", biz_opaque_callback_data, errors })
      expect(yield* receives({ statuses: [ours] })).toMatchObject([
        { _tag: "Receipt", messageId: biz_opaque_callback_data, optOut: "marketing" },
        { _tag: "OptOut", handle: "+5215512345678", scope: "marketing" }
      ])
    })
  )

  it.effect("reads a marketing opt-out from a failure of another program's message", () =>
    Effect.gen(function* () {
      const failed = status({ status: "failed", recipient_id: "16505551234", errors: [{ code: 131050 }] })
      expect((yield* receives({ statuses: [failed] }))[1]).toEqual({
        _tag: "OptOut",
        handle: "+16505551234",
        scope: "marketing",
        optedOut: true,
        at: expect.any(Number)
      })
    })
  )
})

describe("other changes", () => {
  const template = (fields: object, { id, ...more }: { readonly id?: string; readonly time?: unknown } = {}) =>
    Effect.map(
      reported(
        whatsAppWebhook(business, [
          {
            id: id ?? business.businessAccountId,
            ...more,
            changes: [{ field: "message_template_status_update", value: fields }]
          }
        ])
      ),
      (all) => {
        expect(all.map(({ account, elseOwn }) => [account, elseOwn])).toEqual([
          [id ?? business.businessAccountId, false]
        ])
        return all.flatMap(({ events }) => events)
      }
    )
  const update = (event: string, language = "en_US") => ({
    event,
    message_template_id: 1689556908129832,
    message_template_name: "order_ready",
    message_template_language: language,
    reason: "NONE"
  })

  for (const [event, status] of [
    ["APPROVED", "approved"],
    ["REINSTATED", "approved"],
    ["PENDING", "pending"],
    ["IN_APPEAL", "pending"],
    ["REJECTED", "rejected"],
    ["DISABLED", "rejected"],
    ["PAUSED", "paused"]
  ] as const) {
    it.effect(`has a template ${status} that is ${event}`, () =>
      Effect.gen(function* () {
        for (const language of ["en_US", "en-US"]) {
          expect(yield* template(update(event, language))).toEqual([
            { _tag: "TemplateStatus", name: "order_ready", language: "en_US", status }
          ])
        }
      })
    )
  }

  it.effect("has the time of a template change", () =>
    Effect.gen(function* () {
      expect(yield* template(update("APPROVED"), { time: 1_790_000_000 })).toMatchObject([{ at: 1_790_000_000_000 }])
      expect((yield* template(update("APPROVED"), { time: "soon" }))[0]).not.toHaveProperty("at")
    })
  )

  it.effect("assigns template changes to their business account", () =>
    Effect.gen(function* () {
      expect(yield* template(update("APPROVED"), { id: "999" })).toMatchObject([{ _tag: "TemplateStatus" }])
      expect(whatsapp().webhook?.businessAccountOf?.(connection)).toBe(business.businessAccountId)
      const { business_account_id: id, ...config } = connection.config
      const unnamed = { ...connection, config }
      expect(whatsapp().webhook?.businessAccountOf?.(unnamed)).toBeNull()
      const changes = [{ field: "message_template_status_update", value: update("APPROVED") }]
      expect(yield* parse(unnamed, whatsAppWebhook(business, [{ id, changes }]), 0)).toMatchObject([
        { account: id, elseOwn: true }
      ])
    })
  )

  it.effect("stores template changes without a status raw", () =>
    Effect.gen(function* () {
      for (const events of [yield* template(update("FLAGGED")), yield* template({ event: "APPROVED" })]) {
        expect(events).toMatchObject([{ _tag: "Unknown", kind: "message_template_status_update" }])
      }
    })
  )

  it.effect("reads marketing preferences of customers", () =>
    Effect.gen(function* () {
      const request = { wa_id: "16505551234", category: "marketing_messages", timestamp: 1_790_000_000 }
      const events = yield* receives(
        {
          user_preferences: [
            { ...request, value: "stop" },
            { ...request, value: "resume", user_id: null },
            { ...request, value: "stop", wa_id: null, user_id: "US.1" },
            { ...request, value: "?" }
          ]
        },
        "user_preferences"
      )
      expect(events).toMatchObject([
        { _tag: "OptOut", handle: "+16505551234", scope: "marketing", optedOut: true, at: 1_790_000_000_000 },
        { _tag: "OptOut", optedOut: false },
        { _tag: "OptOut", handle: "US.1", optedOut: true },
        { _tag: "Unknown", kind: "user_preferences" }
      ])
    })
  )

  it.effect("groups events by number in order", () =>
    Effect.gen(function* () {
      const other = { ...business, phoneNumberId: "42" }
      const text = (id: string) => ({ messages: [message({ id, type: "text", text: { body: id } })] })
      const all = yield* reported(
        whatsAppWebhook(business, [
          whatsAppEntry(business, [whatsAppChange(business, text("1")), whatsAppChange(other, text("2"))]),
          whatsAppEntry(business, [whatsAppChange(business, text("3")), { field: "account_alerts", value: {} }])
        ])
      )
      const ids = all.map(
        ({ account, events }) =>
          [account, events.map((event) => (event._tag === "Message" ? event.providerMessageId : event._tag))] as const
      )
      expect(new Map(ids)).toEqual(
        new Map([
          [business.phoneNumberId, ["1", "3"]],
          ["42", ["2"]],
          [business.businessAccountId, ["Unknown"]]
        ])
      )
    })
  )
})

describe("what cannot be read", () => {
  const body = (text: string): ProviderRequest => ({ ...whatsAppWebhook(business, []), body: Buffer.from(text) })

  for (const text of ["", "not JSON", "null", "[]", '{"object":"x"}', '{"object":"x","entry":{}}', '{"entry":[]}']) {
    it.effect(`refuses ${JSON.stringify(text)}`, () =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(reported(body(text)))).toMatchObject({ _tag: "WebhookUnreadable" })
      })
    )
  }

  it.effect("reads events beside too deeply nested ones", () =>
    Effect.gen(function* () {
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
      const message = (id: string) => `{"id":"${id}","from":"4917","type":"text","text":{"body":"hi"},"x":${deep}}`
      const value = `{"metadata":{"phone_number_id":"1"},"messages":[${message("1")},${deep},${message("2")}],"errors":${deep}}`
      const entries = `${deep},{"id":"1","changes":[{"field":"messages","value":${value}},{"field":"new","value":${deep}}]}`
      const accounts = yield* reported(body(`{"object":"whatsapp_business_account","entry":[${entries}]}`))
      const kindsOf = (account: string | null) =>
        accounts
          .filter((one) => one.account === account)
          .flatMap(({ events }) => events.map((event) => (event._tag === "Unknown" ? event.kind : event._tag)))
      expect(kindsOf("1")).toEqual(["Message", "message", "Message", "messages"])
      expect(kindsOf(null)).toEqual(["entry", "new"])
    })
  )

  it.effect("stores changes of other objects and entries of another shape raw", () =>
    Effect.gen(function* () {
      expect(yield* reported(body('{"object":"page","entry":[{"id":"1"}]}'))).toEqual([
        { account: null, events: [{ _tag: "Unknown", kind: "page", raw: '{"id":"1"}' }] }
      ])
      expect(yield* reported(whatsAppWebhook(business, [7, whatsAppEntry(business, [])]))).toEqual([
        { account: null, events: [{ _tag: "Unknown", kind: "entry", raw: "7" }] }
      ])
    })
  )
})

describe("echoes of the WhatsApp Business app", () => {
  const receivesEcho = (fields: object) => {
    const echo = { from: "4930123456", to: "16505551234", id: "wamid.e", timestamp: "1790000000", ...fields }
    return receives({ message_echoes: [echo] }, "smb_message_echoes")
  }
  const echo = (fields: object) => ({
    _tag: "Echo",
    providerMessageId: "wamid.e",
    to: "+16505551234",
    at: 1_790_000_000_000,
    body: "",
    content: null,
    quoted: null,
    attachments: [],
    ...fields
  })

  for (const [what, fields, expected] of [
    ["a text", { type: "text", text: { body: "We are open" } }, { body: "We are open" }],
    ["without a time", { type: "text", text: { body: "Hi" }, timestamp: "soon" }, { body: "Hi", at: now }],
    [
      "to a business-scoped id",
      { type: "text", text: { body: "Hi" }, to: null, to_user_id: "US.1349" },
      { body: "Hi", to: "US.1349" }
    ],
    [
      "an image that answers",
      { type: "image", image: { id: "77", mime_type: "image/jpeg", caption: "Ours" }, context: { id: "wamid.0" } },
      {
        body: "Ours",
        quoted: { providerMessageId: "wamid.0" },
        attachments: [{ type: "image", contentType: "image/jpeg", fileName: null, content: { reference: "77" } }]
      }
    ]
  ] as const) {
    it.effect(`reads ${what}`, () =>
      Effect.gen(function* () {
        expect(yield* receivesEcho(fields)).toEqual([echo(expected)])
      })
    )
  }

  for (const fields of [
    { type: "revoke", revoke: { original_message_id: null } },
    { type: "edit", edit: {} },
    { type: "system", system: { type: "customer_identity_changed", body: "changed" } },
    { type: "text", text: { body: "Hi" }, to: null },
    { type: "text", text: { body: "Hi" }, group_id: "g" },
    { text: { body: "Hi" } }
  ]) {
    it.effect(`keeps what it cannot mirror: ${JSON.stringify(fields)}`, () =>
      Effect.gen(function* () {
        expect(yield* receivesEcho(fields)).toMatchObject([{ _tag: "Unknown", kind: "message_echo" }])
      })
    )
  }
})

describe("news of the business account", () => {
  const time = 1_789_999_000
  const news = (field: string, value: object, id = business.businessAccountId) =>
    Effect.map(reported(whatsAppWebhook(business, [{ id, time, changes: [{ field, value }] }])), (all) => {
      expect(all.map(({ account }) => account)).toEqual([id])
      return all.flatMap(({ events }) => events)
    })
  const notice = (message: string, refusal: string | null = null) => ({
    _tag: "AccountNotice",
    message,
    at: time * 1_000,
    concerns: { business_account_id: business.businessAccountId },
    refusal:
      refusal === null ? null : { providerCode: refusal, providerMessage: message.slice(0, message.indexOf(" (")) }
  })
  const ban = (waba_ban_state: string) => ({ event: "DISABLED_UPDATE", ban_info: { waba_ban_state } })
  const restricted = (...types: ReadonlyArray<string>) => ({
    event: "ACCOUNT_RESTRICTION",
    restriction_info: types.map((restriction_type) => ({ restriction_type, expiration: "1790000000" }))
  })

  for (const [field, value, message, refusal] of [
    [
      "account_update",
      ban("DISABLE"),
      "WhatsApp has disabled the business account. (event: DISABLED_UPDATE, waba_ban_state: DISABLE)",
      "DISABLE"
    ],
    [
      "account_update",
      ban("REINSTATE"),
      "WhatsApp has reinstated the business account. Make its disconnected connections active again. (event: DISABLED_UPDATE, waba_ban_state: REINSTATE)"
    ],
    [
      "account_update",
      ban("SCHEDULE_FOR_DISABLE"),
      "WhatsApp is going to disable the business account. (event: DISABLED_UPDATE, waba_ban_state: SCHEDULE_FOR_DISABLE)"
    ],
    [
      "account_update",
      { event: "ACCOUNT_VIOLATION", violation_info: { violation_type: "SCAM" } },
      "The business account violated a policy of WhatsApp's. (event: ACCOUNT_VIOLATION, violation_type: SCAM)"
    ],
    [
      "account_update",
      restricted("RESTRICTED_BIZ_INITIATED_MESSAGING"),
      "WhatsApp restricts the business account. (event: ACCOUNT_RESTRICTION, restriction_type: RESTRICTED_BIZ_INITIATED_MESSAGING, expiration: 1790000000)"
    ],
    [
      "account_update",
      restricted("RESTRICTED_CUSTOMER_INITIATED_MESSAGING"),
      "WhatsApp restricts the business account. (event: ACCOUNT_RESTRICTION, restriction_type: RESTRICTED_CUSTOMER_INITIATED_MESSAGING, expiration: 1790000000)",
      "RESTRICTED_CUSTOMER_INITIATED_MESSAGING"
    ],
    [
      "account_update",
      { event: "ACCOUNT_DELETED" },
      "The business account was deleted. (event: ACCOUNT_DELETED)",
      "ACCOUNT_DELETED"
    ],
    ["account_update", { event: "NEW" }, "The business account changed at WhatsApp. (event: NEW)"],
    [
      "account_alerts",
      { entity_id: "1", alert_info: { alert_severity: "WARNING", alert_type: "PROFILE_PICTURE_LOST" } },
      "WhatsApp has an alert for the account. (entity_id: 1, alert_severity: WARNING, alert_type: PROFILE_PICTURE_LOST)"
    ],
    [
      "account_review_update",
      { decision: "APPROVED" },
      "WhatsApp has approved the business account. (decision: APPROVED)"
    ],
    [
      "account_review_update",
      { decision: "REJECTED" },
      "WhatsApp has rejected the business account in its review. (decision: REJECTED)",
      "REJECTED"
    ],
    [
      "account_review_update",
      { decision: "DEFERRED" },
      "WhatsApp has not decided on the business account yet. (decision: DEFERRED)"
    ],
    [
      "phone_number_quality_update",
      { display_phone_number: "1555", event: "FLAGGED", current_limit: "TIER_250" },
      "The messaging limit or throughput of a number changed. (display_phone_number: 1555, event: FLAGGED, current_limit: TIER_250)"
    ],
    [
      "phone_number_name_update",
      { display_phone_number: "1555", decision: "APPROVED", requested_verified_name: "Shop", rejection_reason: null },
      "WhatsApp decided on the display name of a number. (display_phone_number: 1555, decision: APPROVED, requested_verified_name: Shop)"
    ],
    [
      "message_template_quality_update",
      { previous_quality_score: "GREEN", new_quality_score: "YELLOW", message_template_name: "hello" },
      "The quality of a template changed. (previous_quality_score: GREEN, new_quality_score: YELLOW, message_template_name: hello)"
    ],
    [
      "message_template_status_update",
      { new_quality_score: "RED", message_template_name: "hello" },
      "The quality of a template changed. (new_quality_score: RED, message_template_name: hello)"
    ],
    [
      "business_capability_update",
      { max_daily_conversations_per_business: 2_000, max_phone_numbers_per_waba: 25 },
      "The limits of the business account changed. (max_daily_conversations_per_business: 2000, max_phone_numbers_per_waba: 25)"
    ],
    [
      "security",
      { display_phone_number: "1555", event: "PIN_RESET_REQUEST", requester: "6" },
      "A security setting of a number changed. (display_phone_number: 1555, event: PIN_RESET_REQUEST, requester: 6)"
    ]
  ] as const) {
    it.effect(`reads ${message}`, () =>
      Effect.gen(function* () {
        expect(yield* news(field, value)).toEqual([notice(message, refusal)])
      })
    )
  }

  it.effect("lists at most 20 details, three levels deep", () =>
    Effect.gen(function* () {
      const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`n${n}`, n]))
      const [first] = yield* news("account_update", {
        a: { b: { c: "near", d: { e: "far" } } },
        ids: ["1", 2],
        ...many
      })
      const message = first?._tag === "AccountNotice" ? first.message : ""
      expect(message).toContain("(c: near, ids: 1, ids: 2, n0: 0, ")
      expect(message).toContain("n16: 16)")
    })
  )

  it.effect("keeps news that say nothing, and assigns those of another business account to it", () =>
    Effect.gen(function* () {
      expect(yield* news("security", [])).toEqual([{ _tag: "Unknown", kind: "security", raw: "[]" }])
      expect(yield* news("account_update", { event: "ACCOUNT_DELETED" }, "999")).toMatchObject([
        { _tag: "AccountNotice", concerns: { business_account_id: "999" } }
      ])
    })
  )
})

import { SandboxProvider } from "@parley/channel-sandbox"
import {
  aConnection,
  aContact,
  aConversation,
  anApplication,
  anEndpoint,
  anIdempotencyRecord,
  aTemplate,
  aWorkspace,
  channelsNamed,
  interfaceChannels,
  makeTestIds,
  someTime
} from "@parley/testkit/rows"
import { Either, Option } from "effect"
import { describe, expect, it } from "vitest"
import { channelOf } from "../../../src/model/Channel.js"
import type { Connection } from "../../../src/model/Connection.js"
import type { IdempotencyRecord } from "../../../src/model/IdempotencyRecord.js"
import { hour } from "../../../src/model/Instant.js"
import { scopes } from "../../../src/model/Scope.js"
import type { RowOf, TableName } from "../../../src/ports/Changes.js"
import { normaliseHandle } from "../../../src/resources/contacts/Handle.js"
import { decodeSendMessageInput } from "../../../src/resources/messages/SendMessageInput.js"
import type { SendWorld } from "../../../src/resources/messages/SendWorld.js"
import { sendMessage } from "../../../src/resources/messages/sendMessage.js"

const now = someTime + hour
const id = (n: number) => `01900000-0000-7000-8000-0000000001${n}`
const workspace = aWorkspace({ defaultLanguage: "en" })
const connection = aConnection({
  id: id(10),
  channel: "whatsapp",
  isTest: true,
  status: "active",
  provider: "fake",
  config: {}
})
const email = aConnection({ ...connection, id: id(11), channel: "email" })
const application = anApplication({ mode: "test", scopes, connectionIds: [id(10), id(11)] })
const template = aTemplate({
  id: id(20),
  channel: "whatsapp",
  name: "hello",
  language: "en",
  body: "Hi {{1}}",
  status: "approved"
})
const handle = "+491701234567"
const contact = aContact({ id: id(30), identities: [{ channel: "whatsapp", handle, displayName: null }] })
const conversation = aConversation({
  id: id(40),
  connectionId: id(10),
  channel: "whatsapp",
  handle,
  contactId: id(30),
  lastInboundAt: now - hour
})

const provider = (channel: Connection["channel"]) => ({
  provider: SandboxProvider,
  capabilities: {
    textMaxLength: 20,
    templates: channel === "whatsapp",
    deliveryReceipts: true,
    readReceipts: true,
    serviceWindowHours: channel === "whatsapp" ? 24 : null
  }
})

const channels = channelsNamed(...interfaceChannels)
const world = (more: Partial<SendWorld> = {}, to = handle, channel: Connection["channel"] = "whatsapp"): SendWorld => ({
  caller: { application, workspace },
  channel: channelOf(channels, channel),
  channels,
  record: undefined,
  uploads: [],
  quoted: undefined,
  connections: [connection, email],
  provider: (connection) => provider(connection.channel),
  handle: Option.some(normaliseHandle(channel, to)),
  contact,
  conversations: [conversation],
  templates: [template],
  subscribers: { endpoints: [], applications: [application] },
  token: null,
  ...more
})
const stranger = { contact: undefined, conversations: [] }

const text = { channel: "whatsapp", to: handle, type: "text", message: { body: "hello" } }
const templated = {
  channel: "whatsapp",
  to: handle,
  type: "template",
  message: { template: "hello", variables: ["Ada"] }
}
const idempotency = { key: "key", fingerprint: "print" }

const send = (world: SendWorld, body: { readonly [key: string]: unknown }, verdictWait = 0) =>
  sendMessage(
    world,
    { decoded: decodeSendMessageInput(body), idempotency, requestId: "request" },
    { leaseFor: () => ({ owner: "us", until: now + 15_000 }), verdictWait },
    now,
    makeTestIds()
  )
const accepted = (world: SendWorld, body: { readonly [key: string]: unknown }, verdictWait = 0) => {
  const { changes, result } = Either.getOrThrow(send(world, body, verdictWait))
  if (changes === null || result.accepted === null) throw new Error("the send was not accepted anew")
  const rows = <T extends TableName>(table: T) =>
    [...changes.claims, ...changes.inserts]
      .filter((one) => one.table === table)
      .map((one) => (one as unknown as RowOf<T>).row)
  return { changes, answer: result.answer, ...result.accepted, rows }
}
const refused = (world: SendWorld, body: { readonly [key: string]: unknown }) => {
  const outcome = send(world, body)
  if (Either.isRight(outcome)) throw new Error("the send was accepted")
  return outcome.left
}

describe("an accepted send", () => {
  it("creates message, event, job and idempotency record, and bumps contact and conversation", () => {
    const { answer, changes, job, message, rows } = accepted(world(), { ...text, external_reference: "order 7" })
    expect(message).toMatchObject({
      status: "queued",
      body: "hello",
      externalReference: "order 7",
      contactId: id(30),
      conversationId: id(40)
    })
    expect(rows("events").map(({ type }) => type)).toEqual(["message.queued"])
    expect(rows("events")[0]).toMatchObject({
      applicationId: application.id,
      hasExternalReference: true,
      externalReference: "order 7"
    })
    expect(job).toMatchObject({
      lane: "sends",
      subject: id(10),
      reference: message.id,
      leaseOwner: "us",
      attempts: 0,
      payload: { to: handle }
    })
    expect(rows("idempotency")).toMatchObject([
      { key: "key", fingerprint: "print", state: "done", status: 202, body: answer.body }
    ])
    expect(changes.bumps.map(({ id }) => id)).toEqual([id(30), id(40)])
    expect(JSON.parse(answer.body)).toEqual({
      data: {
        message_id: message.id,
        status: "queued",
        external_reference: "order 7",
        conversation_id: id(40),
        contact_id: id(30),
        connection_id: id(10),
        request_id: "request"
      }
    })
  })

  it("says that a program wrote it if the application does", () => {
    const saying = (given: object) => accepted(world(), { ...text, message: { ...text.message, ...given } })
    const { message, rows } = saying({ automatic: true })
    expect(message.envelope).toMatchObject({ automatic: true, quoted: null })
    expect(JSON.parse(rows("events")[0]?.data ?? "").message.automatic).toBe(true)
    for (const given of [{}, { automatic: false }, { automatic: null }]) {
      expect(saying(given).message.envelope).toBeNull()
    }
    expect(refused(world(), { ...text, message: { ...text.message, automatic: "yes" } }).code).toBe("validation_failed")
  })

  it("creates contact, address and conversation of an unknown handle", () => {
    const { message, rows } = accepted(world(stranger), templated)
    const [made] = rows("contacts")
    expect(made).toMatchObject({ phone: handle, identities: [{ channel: "whatsapp", handle }], lifecycleStage: "lead" })
    expect(rows("addresses")).toMatchObject([{ space: "phone", handle, contactId: made?.id }])
    expect(rows("conversations")).toMatchObject([
      { connectionId: id(10), handle, contactId: made?.id, status: "open", lastInboundAt: 0 }
    ])
    expect(message).toMatchObject({
      contactId: made?.id,
      body: "Hi Ada",
      templateName: "hello",
      templateLanguage: "en"
    })
    expect(rows("events").map(({ type }) => type)).toEqual([
      "contact.created",
      "conversation.created",
      "message.queued"
    ])
  })

  it("adds the WhatsApp identity to a contact known by phone", () => {
    const known = aContact({ ...contact, identities: [{ channel: "phone", handle, displayName: null }] })
    const { changes, rows } = accepted(world({ contact: known, conversations: [] }), templated)
    expect(rows("contacts")).toEqual([])
    expect(changes.sets).toMatchObject([
      { table: "contacts", values: { identities: [{ channel: "phone" }, { channel: "whatsapp", handle }] } },
      { table: "contacts", values: {} }
    ])
    expect(rows("events").map(({ type }) => type)).toEqual([
      "contact.updated",
      "conversation.created",
      "message.queued"
    ])
  })

  it("waits for the verdict as configured in the engine or the connection", () => {
    expect(accepted(world(), text, 2_000).rows("idempotency")).toMatchObject([
      { state: "awaiting", deadline: now + 2_000 }
    ])
    const patient = { ...connection, config: { verdict_wait_ms: 50 } }
    expect(accepted(world({ connections: [patient] }), text, 2_000).rows("idempotency")).toMatchObject([
      { state: "awaiting", deadline: now + 50 }
    ])
  })

  it("writes one delivery with its job for each subscribed endpoint", () => {
    const other = anApplication({ id: id(2), connectionIds: [id(10)], scopes })
    const endpoints = [
      anEndpoint({ id: id(50), applicationId: application.id, events: ["message.queued"] }),
      anEndpoint({ id: id(51), applicationId: application.id, events: ["message.read"] }),
      anEndpoint({ id: id(52), applicationId: other.id, events: ["*"] })
    ]
    const { rows } = accepted(world({ subscribers: { endpoints, applications: [application, other] } }), text)
    expect(rows("deliveries").map(({ endpointId }) => endpointId)).toEqual([id(50)])
    expect(rows("jobs").filter(({ lane }) => lane === "deliveries")).toMatchObject([{ subject: id(50) }])
  })
})

describe("a used idempotency key", () => {
  const record = (more: Partial<IdempotencyRecord> = {}): IdempotencyRecord =>
    anIdempotencyRecord({
      key: "key",
      fingerprint: "print",
      state: "done",
      status: 202,
      body: "{}",
      expiresAt: now + 1,
      deadline: now + 1,
      ...more
    })

  it("replays the stored response and changes nothing", () => {
    const { changes, result } = Either.getOrThrow(send(world({ record: record() }), text))
    expect(changes).toBeNull()
    expect(result).toEqual({ answer: { status: 202, body: "{}", replayed: true }, accepted: null })
  })
  it("conflicts for another request", () => {
    expect(refused(world({ record: record({ fingerprint: "other" }) }), text).code).toBe("idempotency_conflict")
  })
  it("conflicts while the first request waits for its verdict", () => {
    expect(refused(world({ record: record({ state: "awaiting" }) }), text).code).toBe("idempotency_conflict")
  })
  it("is replayed and set to done once the verdict's deadline has passed", () => {
    const { changes, result } = Either.getOrThrow(
      send(world({ record: record({ state: "awaiting", deadline: now }) }), text)
    )
    expect(result.answer.replayed).toBe(true)
    expect(changes?.sets).toMatchObject([{ table: "idempotency", values: { state: "done" } }])
  })
  it("is free again after its retention", () => {
    const { changes } = accepted(world({ record: record({ expiresAt: now, version: 4 }) }), text)
    expect(changes.expects[0]).toMatchObject({ table: "idempotency", where: { version: 4 } })
    expect(changes.claims.filter(({ table }) => table === "idempotency")).toEqual([])
  })
  it("is checked before validation", () => {
    expect(refused(world({ record: record({ fingerprint: "other" }) }), {}).code).toBe("idempotency_conflict")
  })
})

describe("validation of a send", () => {
  const problems = (world: SendWorld, body: { readonly [key: string]: unknown }) => {
    const { code, details } = refused(world, body)
    expect(code).toBe("validation_failed")
    return details
  }

  it("reports problems of shape and of data together", () => {
    const body = { ...templated, external_reference: 5, message: { template: "unknown" } }
    expect(
      Object.keys(problems(world({ templates: [], contact: { ...contact, optedOut: true } }), body)).sort()
    ).toEqual(["external_reference", "message.template", "to"])
  })
  it("refuses a malformed handle", () => {
    expect(problems(world(stranger, "12345"), { ...text, to: "12345" })).toEqual({
      to: ["must be a phone number in E.164: + and 7 to 15 digits"]
    })
  })
  it("requires a text within the channel's limit in characters", () => {
    for (const message of [{}, { body: "" }, { body: " \n" }]) {
      expect(problems(world(), { ...text, message })).toEqual({ "message.body": ["is required"] })
    }
    expect(problems(world(), { ...text, message: { body: "x".repeat(21) } })).toEqual({
      "message.body": ["must be at most 20 characters on this channel"]
    })
    expect(accepted(world(), { ...text, message: { body: "😀".repeat(20) } }).message.body).toBe("😀".repeat(20))
  })
  it("applies the provider's further rules for a text", () => {
    const bytes = {
      ...SandboxProvider,
      textProblem: (_: Connection, body: string) => (Buffer.byteLength(body) > 8 ? "must be at most 8 bytes" : null)
    }
    const limited = world({ provider: ({ channel }) => ({ ...provider(channel), provider: bytes }) })
    expect(problems(limited, { ...text, message: { body: "😀😀😀" } })).toEqual({
      "message.body": ["must be at most 8 bytes"]
    })
    expect(accepted(limited, { ...text, message: { body: "😀😀" } }).message.body).toBe("😀😀")
  })
  it("accepts a subject of one line, for email only", () => {
    expect(problems(world(), { ...text, message: { body: "x", subject: "s" } })).toEqual({
      "message.subject": ["is not possible on this channel"]
    })
    const mail = { ...text, channel: "email", to: "ada@example.org" }
    const mailWorld = world(stranger, "ada@example.org", "email")
    expect(problems(mailWorld, { ...mail, message: { body: "x", subject: "a\r\nBcc: b" } })).toEqual({
      "message.subject": ["must be one line"]
    })
    expect(accepted(mailWorld, { ...mail, message: { body: "x", subject: "s" } }).message.subject).toBe("s")
  })
  it("checks templates by name, language and number of variables", () => {
    expect(problems(world(), { ...templated, message: {} })).toEqual({ "message.template": ["is required"] })
    expect(problems(world({ templates: [] }), templated)).toHaveProperty(["message.template"])
    expect(
      problems(world(), { ...templated, message: { template: "hello", language: "fr", variables: ["x"] } })
    ).toHaveProperty(["message.language"])
    expect(problems(world(), { ...templated, message: { template: "hello" } })).toEqual({
      "message.variables": ["must have exactly 1 items, one for each slot"]
    })
  })
  it("chooses the template of the connection's account, then one that was made by hand", () => {
    const of = (account: string, body: string, more = {}) => ({ ...template, account, body, ...more })
    const sent = (...templates: ReadonlyArray<typeof template>) =>
      accepted(world({ templates }), templated).message.body
    const [own, made, other] = [of(id(10), "own {{1}}"), of("", "made {{1}}"), of("elsewhere", "other {{1}}")]
    expect(sent(other, made, own)).toBe("own Ada")
    expect(sent(other, made)).toBe("made Ada")
    expect(sent(other)).toBe("other Ada")
    // Its language is not one of the account's.
    expect(sent({ ...other, language: "fr" }, own)).toBe("own Ada")
    expect(refused(world({ templates: [other, of(id(10), "own {{1}}", { status: "paused" })] }), templated).code).toBe(
      "template_not_approved"
    )
    const named = { ...SandboxProvider, webhook: { businessAccountOf: () => "elsewhere" } } as never
    const business = { provider: () => ({ ...provider("whatsapp"), provider: named }) }
    expect(accepted(world({ templates: [own, other], ...business }), templated).message.body).toBe("other Ada")
  })
  it("chooses the only language, else the workspace's, else requires one", () => {
    const german = { ...template, id: id(21), language: "de", body: "Hallo {{1}}" }
    expect(accepted(world({ templates: [german] }), templated).message.body).toBe("Hallo Ada")
    expect(accepted(world({ templates: [german, template] }), templated).message.body).toBe("Hi Ada")
    const french = { ...template, id: id(22), language: "fr" }
    expect(problems(world({ templates: [german, french] }), templated)).toHaveProperty(["message.language"])
  })
  it("refuses contacts who opted out, of marketing only for marketing templates", () => {
    expect(problems(world({ contact: { ...contact, optedOut: true } }), text)).toHaveProperty("to")
    const quiet = { ...contact, marketingOptedOut: true }
    for (const category of ["marketing", "Marketing", "MARKETING"])
      expect(problems(world({ contact: quiet, templates: [{ ...template, category }] }), templated)).toHaveProperty(
        "to"
      )
    expect(accepted(world({ contact: quiet }), templated).message.status).toBe("queued")
  })
  it("refuses a connection of another channel at its field", () => {
    expect(problems(world(), { ...text, connection_id: id(11) })).toHaveProperty("connection_id")
  })
})

describe("the rules with a code of their own", () => {
  it("forbid a connection that is unknown, not allow-listed, or of the other mode", () => {
    const forbidden = { code: "forbidden" }
    expect(refused(world(), { ...text, connection_id: id(99) })).toMatchObject(forbidden)
    expect(refused(world({ connections: [{ ...connection, id: id(12) }] }), text)).toMatchObject({
      ...forbidden,
      details: { channel: "whatsapp" }
    })
    expect(refused(world({ connections: [{ ...connection, isTest: false }] }), text)).toMatchObject(forbidden)
  })
  it.each(["paused", "disconnected"] as const)("refuse a connection that is %s", (status) => {
    expect(refused(world({ connections: [{ ...connection, status }] }), text).code).toBe("channel_unavailable")
  })
  it("refuse an unsendable template before its variables, and any on a channel without templates", () => {
    const pending = { ...template, status: "pending" as const }
    expect(refused(world({ templates: [pending] }), { ...templated, message: { template: "hello" } }).code).toBe(
      "template_not_approved"
    )
    const mail = { channel: "email", to: "ada@example.org", type: "template", message: { template: "hello" } }
    expect(refused(world({ ...stranger, templates: [] }, "ada@example.org", "email"), mail).code).toBe(
      "template_not_approved"
    )
  })
  it("allow free text within the service window only, and templates always", () => {
    const at = (lastInboundAt: number) => world({ conversations: [{ ...conversation, lastInboundAt }] })
    expect(accepted(at(now - 24 * hour + 1), text).message.status).toBe("queued")
    expect(refused(at(now - 24 * hour), text)).toMatchObject({
      code: "outside_service_window",
      details: { expires_at: new Date(now).toISOString() }
    })
    expect(refused(at(0), text)).toMatchObject({ code: "outside_service_window", details: { expires_at: null } })
    expect(accepted(at(0), templated).message.status).toBe("queued")
  })
})

describe("a send without a connection", () => {
  const second = { ...connection, id: id(12), createdAt: connection.createdAt + 1 }
  const both = { ...world().caller, application: { ...application, connectionIds: [id(10), id(12)] } }
  it("uses the connection of the newest conversation with the handle", () => {
    const newer = { ...conversation, id: id(41), connectionId: id(12), lastActivityAt: conversation.lastActivityAt + 5 }
    const selected = accepted(
      world({ caller: both, connections: [connection, second], conversations: [conversation, newer] }),
      text
    )
    expect(selected.message.connectionId).toBe(id(12))
  })
  it("prefers an active connection", () => {
    const paused = { ...connection, status: "paused" as const }
    expect(accepted(world({ caller: both, connections: [paused, second] }), templated).message.connectionId).toBe(
      id(12)
    )
  })
  it("else uses the oldest connection", () => {
    expect(
      accepted(world({ ...stranger, caller: both, connections: [second, connection] }), templated).message.connectionId
    ).toBe(id(10))
  })
})

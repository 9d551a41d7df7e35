import { describe, expect, it } from "@effect/vitest"
import { SandboxProvider } from "@parley/channel-sandbox"
import {
  aConnection,
  aContact,
  aConversation,
  aMessage,
  anApplication,
  aTemplate,
  aWorkspace,
  channelsNamed,
  interfaceChannels,
  someTime
} from "@parley/testkit/rows"
import { makeTestIds } from "@parley/testkit/services"
import { Either, Option } from "effect"
import { normaliseHandle } from "../../../src/index.js"
import type { Capabilities, FileLimits } from "../../../src/model/Channel.js"
import type { Connection } from "../../../src/model/Connection.js"
import type { LeaseFor } from "../../../src/model/Job.js"
import type { Template } from "../../../src/model/Template.js"
import type { Upload } from "../../../src/model/Upload.js"
import { expect as expectRow, type RowOf, set, type TableName, type Tables } from "../../../src/ports/Changes.js"
import { decodeSendMessageInput } from "../../../src/resources/messages/SendMessageInput.js"
import type { SendWorld } from "../../../src/resources/messages/SendWorld.js"
import { sendMessage } from "../../../src/resources/messages/sendMessage.js"

const now = someTime
const to = "+491701000001"
const connection = aConnection({ channel: "whatsapp", provider: "sandbox", status: "active" })
const application = anApplication({ connectionIds: [connection.id] })
const contact = aContact({ identities: [{ channel: "whatsapp", handle: to, displayName: null }] })
const conversation = aConversation({
  connectionId: connection.id,
  handle: to,
  contactId: contact.id,
  lastInboundAt: now
})
const quoted = aMessage({
  id: "01900000-0000-7000-8000-0000000000aa",
  conversationId: conversation.id,
  direction: "inbound",
  applicationId: null,
  providerMessageId: "wamid.7"
})

const capabilities: Capabilities = {
  textMaxLength: 20,
  templates: false,
  deliveryReceipts: true,
  readReceipts: true,
  serviceWindowHours: 24,
  types: ["text", "location", "contacts", "choices", "reaction"],
  choices: { options: 2, titleLength: 5, idLength: 4, descriptionLength: 0 },
  quotes: true
}

const world = (more: Partial<SendWorld> = {}, can: Partial<Capabilities> = {}): SendWorld => ({
  caller: { application, workspace: aWorkspace() },
  channel: channelsNamed("whatsapp")[0],
  channels: channelsNamed(...interfaceChannels),
  record: undefined,
  uploads: [],
  connections: [connection],
  provider: () => ({ provider: SandboxProvider, capabilities: { ...capabilities, ...can } }),
  handle: Option.some(normaliseHandle("whatsapp", to)),
  contact,
  conversations: [conversation],
  templates: [],
  quoted: undefined,
  subscribers: { endpoints: [], applications: [application] },
  token: null,
  ...more
})

const send = (type: string, message: object, on = world(), lease: ReturnType<LeaseFor> = null) =>
  sendMessage(
    on,
    {
      decoded: decodeSendMessageInput({ channel: "whatsapp", to, type, message }),
      idempotency: { key: "key", fingerprint: "print" },
      requestId: "request"
    },
    { leaseFor: () => lease, verdictWait: 3_000 },
    now,
    makeTestIds()
  )

/** The stored message of an accepted send. */
const stored = (type: string, message: object, on = world()) => {
  const { changes } = Either.getOrThrow(send(type, message, on))
  const row = changes?.inserts.find(({ table }) => table === "messages") as RowOf<"messages"> | undefined
  if (row === undefined) throw new Error("no message is inserted")
  return row.row
}
const problems = (type: string, message: object, on = world()) => {
  const outcome = send(type, message, on)
  if (Either.isRight(outcome)) throw new Error("the send was accepted")
  expect(outcome.left.code).toBe("validation_failed")
  return outcome.left.details
}

const yesNo = {
  options: [
    { id: "yes", title: "Yes" },
    { id: "no", title: "No" }
  ]
}

describe("a send of content", () => {
  it("is stored with its type, content and readable text", () => {
    expect(stored("location", { content: { latitude: 52.5, longitude: -13, name: "Shop" } })).toMatchObject({
      type: "location",
      body: "Shop\n52.5, -13",
      content: { type: "location", latitude: 52.5, longitude: -13, name: "Shop", address: null, url: null }
    })
    expect(stored("contacts", { content: { contacts: [{ name: "Ada", phones: ["+49301"] }] } })).toMatchObject({
      body: "Ada\n+49301",
      content: {
        type: "contacts",
        contacts: [{ name: "Ada", organization: null, phones: ["+49301"], emails: [] }]
      }
    })
    expect(stored("choices", { body: "Today?", content: yesNo })).toMatchObject({
      body: "Today?",
      content: {
        type: "choices",
        button: null,
        options: [
          { id: "yes", title: "Yes", description: null },
          { id: "no", title: "No", description: null }
        ]
      }
    })
  })

  it("is refused with all problems of its content", () => {
    expect(problems("location", {})).toEqual({ "message.content": ["is required for the type location"] })
    expect(problems("location", { content: "here" })).toEqual({ "message.content": ["must be an object"] })
    expect(problems("location", { content: { latitude: 91 }, body: "here" })).toEqual({
      "message.content.latitude": ["must be a number from -90 to 90"],
      "message.content.longitude": ["is required"],
      "message.body": ["must be left out for the type location"]
    })
    expect(problems("contacts", { content: { contacts: [] } })).toEqual({
      "message.content.contacts": ["must have 1 to 20 items"]
    })
    expect(problems("choices", { content: { options: [{ id: "a" }] } })).toEqual({
      "message.body": ["is required"],
      "message.content.options.0.title": ["is required"]
    })
  })

  it("is refused beyond the limits of the channel's choices", () => {
    const options = [
      { id: "a", title: "A" },
      { id: "a", title: "longer", description: "d" },
      { id: "12345", title: "C" }
    ]
    expect(problems("choices", { body: "more than twenty characters", content: { options } })).toEqual({
      "message.body": ["must be at most 20 characters on this channel"],
      "message.content.options": ["must have at most 2 items on this channel"],
      "message.content.options.1.id": ["is that of an earlier option"],
      "message.content.options.1.title": ["must be at most 5 characters on this channel"],
      "message.content.options.1.description": ["is not possible on this channel"],
      "message.content.options.2.id": ["must be at most 4 characters on this channel"]
    })
  })

  it("is refused with a location's url where the channel would lose it", () => {
    const place = { content: { latitude: 52.5, longitude: -13, url: "https://bakery.example" } }
    expect(problems("location", place)).toEqual({ "message.content.url": ["is not possible on this channel"] })
    expect(stored("location", place, world({}, { locationUrls: true }))).toMatchObject({ content: place.content })
  })

  it("is refused as a reaction with an emoji that the channel does not take, with the possible ones", () => {
    const heart = (emoji: string | null, ...reactions: ReadonlyArray<string>) =>
      [{ content: { emoji }, quoted: quoted.id }, world({ quoted }, { reactions })] as const
    for (const emoji of ["❤", "❤️", null]) {
      expect(stored("reaction", ...heart(emoji, "❤"))).toMatchObject({ content: { type: "reaction", emoji } })
    }
    expect(problems("reaction", ...heart("👍", "❤"))).toEqual({
      "message.content.emoji": ["must be one of ❤ on this channel"]
    })
    const many = [..."👎🔥🥰👏😁🤔🤯😱🤬😢🎉🤩"]
    expect(problems("reaction", ...heart("👍", ...many))).toEqual({
      "message.content.emoji": [
        "must be one of 👎, 🔥, 🥰, 👏, 😁, 🤔, 🤯, 😱, 🤬, 😢 and 2 others in capabilities.reactions on this channel"
      ]
    })
  })

  it("is refused with a longer label of the list than the channel shows, which others ignore", () => {
    const choices = { body: "Now?", content: { ...yesNo, button: "See all" } }
    const lists = (buttonLength: number) =>
      world({}, { choices: { options: 2, titleLength: 5, idLength: 4, descriptionLength: 0, buttonLength } })
    expect(problems("choices", choices, lists(6))).toEqual({
      "message.content.button": ["must be at most 6 characters on this channel"]
    })
    expect(stored("choices", choices, lists(7))).toMatchObject({ content: { button: "See all" } })
    for (const none of [lists(0), world()]) expect(stored("choices", choices, none).type).toBe("choices")
  })

  it("is refused if the channel does not carry its type, with the types that it carries", () => {
    const textOnly = world({}, { types: ["text"] })
    expect(problems("location", { content: { latitude: 1, longitude: 2 } }, textOnly)).toEqual({
      type: ["must be one of text on this channel"]
    })
    const { types: _, ...untyped } = capabilities
    const unlisted = world({ provider: () => ({ provider: SandboxProvider, capabilities: untyped }) })
    expect(stored("text", { body: "hello" }, unlisted).type).toBe("text")
  })

  it("numbers choices where the channel has texts only, within the limit of a text", () => {
    const textOnly = world({}, { types: ["text"], choices: null })
    expect(stored("choices", { body: "Now?", content: yesNo }, textOnly)).toMatchObject({
      type: "choices",
      body: "Now?",
      content: { options: [{ id: "yes" }, { id: "no" }] }
    })
    const options = [...yesNo.options, { id: "no", title: "Never" }]
    expect(problems("choices", { body: "Right now?", content: { options } }, textOnly)).toEqual({
      "message.body": ["must be at most 20 characters on this channel"],
      "message.content.options.2.id": ["is that of an earlier option"]
    })
    expect(problems("choices", { content: yesNo }, textOnly)).toEqual({ "message.body": ["is required"] })
  })

  it("needs an open service window, as a text does", () => {
    const closed = world({ conversations: [{ ...conversation, lastInboundAt: 0 }] })
    const outcome = send("location", { content: { latitude: 1, longitude: 2 } }, closed)
    expect(Either.isLeft(outcome) && outcome.left.code).toBe("outside_service_window")
  })

  it("is refused with files if it is not media", () => {
    expect(problems("text", { body: "hello", attachments: [{ url: "https://example.com/a.pdf" }] })).toEqual({
      "message.attachments": ["are for the types media and template only"]
    })
    expect(stored("text", { body: "hello", attachments: [] }).body).toBe("hello")
  })

  it("is refused beside a text, files or a template, with the types that have content", () => {
    const refused = { "message.content": ["is for the types location, contacts, choices, reaction only"] }
    const content = { latitude: 1, longitude: 2 }
    expect(problems("text", { body: "hello", content })).toEqual(refused)
    expect(problems("media", { body: "hello", content })).toMatchObject(refused)
    expect(problems("template", { template: "welcome", content })).toMatchObject(refused)
    expect(stored("text", { body: "hello", content: null, unknown: 1 }).body).toBe("hello")
  })

  it("is refused with a subject if it is no question", () => {
    expect(problems("location", { content: { latitude: 1, longitude: 2 }, subject: "Here" })).toEqual({
      "message.subject": ["must be left out for the type location"]
    })
    expect(problems("contacts", { content: { contacts: [{ name: "Ada" }] }, subject: "Ada" })).toEqual({
      "message.subject": ["must be left out for the type contacts"]
    })
  })
})

describe("a send of files", () => {
  const urlProblem = (url: string) => (url.startsWith("https:") ? null : "must be an https URL")
  const can = { types: ["text", "media"], files: { count: 2, bytes: 1_000 } } as const
  const on = world({ urlProblem }, can)
  const file = { url: "https://example.com/a.pdf" }

  it("is stored with its files, and a job that fetches them before the message is handed over", () => {
    const { changes } = Either.getOrThrow(
      send("media", { body: "See", attachments: [{ ...file, content_type: "image/png", file_name: "a.png" }] }, on)
    )
    const rows = (table: string) =>
      (changes?.inserts ?? []).filter((one) => one.table === table).map(({ row }) => row as { readonly id: string })
    const [message] = rows("messages")
    const [attached] = rows("attachedFiles")
    expect(message).toMatchObject({
      type: "media",
      body: "See",
      content: null,
      attachments: [{ id: attached?.id, type: "image", contentType: "image/png", fileName: "a.png", size: 0 }]
    })
    expect(attached).toMatchObject({ status: "waiting", reference: file.url, messageId: message?.id })
    expect(rows("jobs").filter(({ id }) => id === message?.id)).toMatchObject([
      {
        ...{ lane: "downloads", subject: application.id, leaseOwner: null },
        payload: { task: "fetch_message_files", to, connectionId: connection.id, files: [attached?.id] }
      }
    ])
  })

  it("is answered without the verdict, so that a repeated request is answered at once", () => {
    const { changes, result } = Either.getOrThrow(
      send("media", { attachments: [file] }, on, { owner: "us", until: now + 15_000 })
    )
    const records = (changes?.claims ?? []).flatMap((one) => (one.table === "idempotency" ? [one.row] : []))
    expect([records, result.accepted?.verdictWait]).toMatchObject([[{ state: "done" }], 0])
  })

  it("has an empty text without a caption, and an unknown media type until it is fetched", () => {
    const message = stored("media", { attachments: [file] }, on)
    expect(message.body).toBe("")
    expect(message.attachments).toMatchObject([{ type: "document", contentType: "application/octet-stream" }])
    expect(stored("media", { attachments: [file], body: " \n" }, on).body).toBe("")
  })

  it("is refused without files, with too many, and with URLs that may not be fetched", () => {
    expect(problems("media", { body: "hello" }, on)).toEqual({
      "message.attachments": ["is required for the type media"]
    })
    expect(
      problems("media", { attachments: [file, { url: "http://a" }, file], body: "more than twenty characters" }, on)
    ).toEqual({
      "message.attachments": ["must have at most 2 items on this channel"],
      "message.attachments.1.url": ["must be an https URL"],
      "message.body": ["must be at most 20 characters on this channel"]
    })
    expect(problems("media", { attachments: [{ ...file, content_type: "Image/PNG; x" }] }, on)).toEqual({
      "message.attachments.0.content_type": [
        "must be a media type such as image/png, in lower case and without parameters"
      ]
    })
    expect(problems("media", { attachments: [file] }, world({}, can))).toEqual({
      "message.attachments.0.url": ["cannot be fetched by this host"]
    })
  })
})

describe("a send of several files on a channel whose messages have one", () => {
  const files = { count: 1, bytes: 1_000, captionLength: 5 }
  const on = world({ urlProblem: () => null, quoted }, { types: ["text", "media"], files })
  const urls = ["https://files.test/a.png", "https://files.test/b.png", "https://files.test/c.png"]
  const attachments = urls.map((url) => ({ url }))
  const rowsOf = (message: object, lease: ReturnType<LeaseFor> = null) => {
    const { changes, result } = Either.getOrThrow(send("media", message, on, lease))
    const rows = <T extends TableName>(table: T) =>
      (changes?.inserts ?? []).flatMap((one) => (one.table === table ? [one.row as Tables[T]] : []))
    return { rows, result, changes }
  }

  it("queues one message for each, a second apart, with one group_id", () => {
    const { changes, result, rows } = rowsOf({ body: "Look", attachments, quoted: quoted.id }, null)
    const messages = rows("messages")
    const [first] = messages
    expect(messages.map(({ body, type }) => [type, body])).toEqual([
      ["media", "Look"],
      ["media", ""],
      ["media", ""]
    ])
    expect(rows("attachedFiles").map(({ reference, messageId }) => [reference, messageId])).toEqual(
      urls.map((url, i) => [url, messages[i]?.id])
    )
    const groups = messages.map(({ envelope }) => envelope?.groupId)
    expect([new Set(groups).size, typeof groups[0]]).toEqual([1, "string"])
    expect(messages.map(({ envelope }) => envelope?.quoted?.messageId ?? null)).toEqual([quoted.id, null, null])
    const jobs = rows("jobs").filter(({ id }) => messages.some((message) => message.id === id))
    expect(jobs.map(({ runAt }) => runAt - now)).toEqual([0, 1_000, 2_000])
    expect(changes?.claims.filter(({ table }) => table === "idempotency")).toHaveLength(1)
    expect(JSON.parse(result.answer.body).data).toMatchObject({
      message_id: first?.id,
      message_ids: messages.map(({ id }) => id)
    })
  })

  it("sends a text first that does not fit as a caption", () => {
    const { result, rows } = rowsOf({ body: "Look at this", attachments: attachments.slice(1) })
    expect(rows("messages").map(({ body, type }) => [type, body])).toEqual([
      ["text", "Look at this"],
      ["media", ""],
      ["media", ""]
    ])
    expect(result.accepted?.message).toMatchObject({ type: "text" })
  })

  it("is answered without the verdict, because the others remain if the first is rejected", () => {
    const { result } = rowsOf({ body: "Look at this", attachments }, { owner: "us", until: now + 15_000 })
    expect(result.accepted).toMatchObject({ verdictWait: 0, job: { leaseOwner: "us" } })
  })

  it("has at most ten", () => {
    expect(problems("media", { attachments: Array.from({ length: 11 }, () => attachments[0]) }, on)).toEqual({
      "message.attachments": ["must have at most 10 items on this channel"]
    })
  })
})
const upload: Upload = {
  id: "01900000-0000-7000-8000-0000000000b1",
  workspaceId: connection.workspaceId,
  applicationId: application.id,
  contentType: "image/png",
  fileName: "a.png",
  size: 900,
  sent: false,
  expiresAt: now + 1,
  createdAt: now,
  version: 1
}

describe("a send of uploads", () => {
  const can = { types: ["text", "media"], files: { count: 3, bytes: 1_000 } } as const
  const on = (more: Partial<Upload> = {}, files: Partial<FileLimits> = {}) =>
    world({ uploads: [{ ...upload, ...more }], urlProblem: () => null }, { ...can, files: { ...can.files, ...files } })
  const sent = { attachment_id: upload.id }

  it("is handed over at once, with files that share the bytes of the upload", () => {
    const attachments = [sent, { attachment_id: upload.id.toUpperCase(), file_name: "b.png" }]
    const { changes } = Either.getOrThrow(send("media", { attachments }, on()))
    const rows = (table: string) => (changes?.inserts ?? []).flatMap((one) => (one.table === table ? [one.row] : []))
    const shared = { type: "image", contentType: "image/png", size: 900, uploadId: upload.id }
    expect(rows("messages")).toMatchObject([
      {
        attachments: [
          { ...shared, fileName: "a.png" },
          { ...shared, fileName: "b.png" }
        ]
      }
    ])
    const file = { status: "stored", reference: null, uploadId: upload.id }
    expect(rows("attachedFiles")).toMatchObject([file, file])
    expect(rows("jobs")).toMatchObject([{ lane: "sends", payload: { to } }])
    expect(changes?.expects).toContainEqual(expectRow("uploads", { id: upload.id }, { version: 1 }))
    expect(changes?.sets).toContainEqual(set("uploads", { id: upload.id }, { sent: true }))
  })

  it("does not change an upload that was sent before", () => {
    const { changes } = Either.getOrThrow(send("media", { attachments: [sent] }, on({ sent: true })))
    expect([...(changes?.expects ?? []), ...(changes?.sets ?? [])].filter(({ table }) => table === "uploads")).toEqual(
      []
    )
  })

  it("waits for the files beside it that have a URL", () => {
    const attachments = [sent, { url: "https://example.com/a.pdf" }]
    const { changes } = Either.getOrThrow(send("media", { attachments }, on()))
    const files = (changes?.inserts ?? []).flatMap((one) => (one.table === "attachedFiles" ? [one.row] : []))
    expect(files).toMatchObject([{ status: "stored" }, { status: "waiting", uploadId: null }])
    expect((changes?.inserts ?? []).flatMap((one) => (one.table === "jobs" ? [one.row] : []))).toMatchObject([
      { lane: "downloads", payload: { files: [files[1]?.id] } }
    ])
  })

  it("is refused with an upload that is unknown, or that the channel does not carry", () => {
    const problemsOf = (attachments: ReadonlyArray<object>, where = on()) => problems("media", { attachments }, where)
    expect(problemsOf([sent], world({}, can))).toEqual({
      "message.attachments.0.attachment_id": ["is not an upload of this application, or has expired"]
    })
    expect(problemsOf([sent], on({ size: 1_001 }))).toEqual({
      "message.attachments.0.attachment_id": ["has 1001 bytes and must have at most 1000 on this channel"]
    })
    const smallImages = { bytesByType: { image: 899 } }
    expect(problemsOf([sent], on({}, smallImages))).toEqual({
      "message.attachments.0.attachment_id": ["has 900 bytes and must have at most 899 on this channel"]
    })
    expect(Either.isRight(send("media", { attachments: [sent] }, on({ contentType: "video/mp4" }, smallImages)))).toBe(
      true
    )
    expect(problemsOf([sent], on({}, { types: ["application/pdf"] }))).toEqual({
      "message.attachments.0.attachment_id": ["is image/png and must be one of application/pdf on this channel"]
    })
    expect(problemsOf([sent], on({ contentType: "application/octet-stream" }, { types: ["image/png"] }))).toEqual({
      "message.attachments.0.attachment_id": [
        "is application/octet-stream and must be one of image/png on this channel"
      ]
    })
    expect(problemsOf([{ ...sent, content_type: "image/gif" }])).toEqual({
      "message.attachments.0.content_type": ["must be left out: an upload has its type"]
    })
    const either = { "message.attachments.0": ["must have either url or attachment_id"] }
    expect(problemsOf([{ ...sent, url: "https://example.com/a.pdf" }])).toEqual(either)
    expect(problemsOf([{ file_name: "a.pdf" }])).toEqual(either)
  })
})

describe("a send that quotes", () => {
  const message = { body: "yes", quoted: quoted.id }

  it("names the message with the vendor's id", () => {
    expect(stored("text", message, world({ quoted })).envelope?.quoted).toEqual({
      messageId: quoted.id,
      providerMessageId: "wamid.7",
      applicationId: null,
      body: null
    })
    const reaction = stored("reaction", { content: { emoji: "👍" }, quoted: quoted.id }, world({ quoted }))
    expect(reaction).toMatchObject({ type: "reaction", body: "👍", content: { type: "reaction", emoji: "👍" } })
    expect(stored("reaction", { content: {}, quoted: quoted.id }, world({ quoted })).content).toEqual({
      type: "reaction",
      emoji: null
    })
  })

  it("is refused if the message is unknown, of another conversation or of another application", () => {
    const unknown = { "message.quoted": ["must be the id of a message of this conversation"] }
    expect(problems("text", message)).toEqual(unknown)
    const elsewhere = { ...quoted, conversationId: "01900000-0000-7000-8000-0000000000bb" }
    expect(problems("text", message, world({ quoted: elsewhere }))).toEqual(unknown)
    const theirs = { ...quoted, applicationId: "01900000-0000-7000-8000-0000000000cc" }
    expect(problems("text", message, world({ quoted: theirs }))).toEqual(unknown)
    expect(problems("text", message, world({ quoted, conversations: [] }))).toEqual(unknown)
    expect(stored("text", message, world({ quoted: { ...quoted, applicationId: application.id } })).body).toBe("yes")
  })

  it("is refused if the channel does not know the message, or cannot quote", () => {
    expect(problems("text", message, world({ quoted: { ...quoted, providerMessageId: null } }))).toEqual({
      "message.quoted": ["must be the id of a message that the channel accepted"]
    })
    expect(problems("text", message, world({ quoted }, { quotes: false }))).toEqual({
      "message.quoted": ["is not possible on this channel"]
    })
    const reaction = { content: { emoji: "👍" } }
    expect(problems("reaction", reaction)).toEqual({
      "message.quoted": ["is required for the type reaction"]
    })
    const noReactions = {
      provider: () => ({
        provider: { ...SandboxProvider, reactionProblem: (_: Connection, id: string) => `must be other than ${id}` },
        capabilities
      })
    }
    expect(problems("reaction", { ...reaction, quoted: quoted.id }, world({ quoted, ...noReactions }))).toEqual({
      "message.quoted": ["must be other than wamid.7"]
    })
    expect(stored("text", message, world({ quoted, ...noReactions })).body).toBe("yes")
  })
})

it("a template of an email gives the message its subject and its HTML", () => {
  const mail = { subject: "Order {{2}}", html: "<p>{{1}}</p>" }
  const parts = { header: null, footer: null, buttons: [], named: false, mail }
  const template = aTemplate({ id: "01900000-0000-7000-8000-0000000000d1", body: "Hello {{1}}", parts })
  const on = world({ templates: [template] }, { templates: true })
  const message = { template: "order_ready", variables: ["<Ada>", "1042"] }
  expect(stored("template", message, on)).toMatchObject({
    body: "Hello <Ada>",
    subject: "Order 1042",
    html: "<p>&lt;Ada&gt;</p>",
    content: null,
    variables: ["<Ada>", "1042"]
  })
})

describe("a send of a template with parts", () => {
  const nothing = { header: null, footer: null, buttons: [], named: false }
  const on = (parts: Partial<NonNullable<Template["parts"]>>, body = "Hello {{1}}") =>
    world(
      {
        urlProblem: () => null,
        templates: [aTemplate({ id: "01900000-0000-7000-8000-0000000000d1", body, parts: { ...nothing, ...parts } })]
      },
      { templates: true, files: { count: 1, bytes: 1_000, types: ["image/*"] } }
    )
  const ready = { template: "order_ready", variables: ["Ada"] }
  const image = { url: "https://example.com/cake.png", content_type: "image/png" }

  it("fetches the file of the header first", () => {
    const message = stored(
      "template",
      { ...ready, attachments: [image] },
      on({ header: { type: "image", text: null } })
    )
    expect(message).toMatchObject({ type: "template", body: "Hello Ada", content: null })
    expect(message.attachments).toMatchObject([{ type: "image", contentType: "image/png" }])
  })

  const header = (type: "image" | "video" | "document") => ({ header: { type, text: null } })

  it("takes a file of an unknown type for what the header wants, until it is fetched", () => {
    const attachments = [{ url: "https://example.com/file" }]
    for (const type of ["image", "document"] as const) {
      const message = stored("template", { ...ready, attachments }, on(header(type)))
      expect(message.attachments).toMatchObject([{ type, contentType: "application/octet-stream" }])
    }
  })

  it("takes only what the channel takes in a header", () => {
    const limited = (parts: Partial<NonNullable<Template["parts"]>>, uploads: ReadonlyArray<Upload> = []) => {
      const { templates, urlProblem } = on(parts)
      const headerFiles = { image: { types: ["image/png", "image/jpeg"], bytes: 500 } }
      const can = { templates: true, files: { count: 1, bytes: 1_000 }, headerFiles }
      return world({ templates, urlProblem, uploads }, can)
    }
    const webp = { ...ready, attachments: [{ url: "https://example.com/a", content_type: "image/webp" }] }
    expect(problems("template", webp, limited(header("image")))).toEqual({
      "message.attachments.0.content_type": ["must be image/png or image/jpeg in a header of this channel"]
    })
    const accepted = (message: object, where: SendWorld) => Either.isRight(send("template", message, where))
    expect(accepted({ ...ready, attachments: [image] }, limited(header("image")))).toBe(true)
    const sent = { ...ready, attachments: [{ attachment_id: upload.id }] }
    const of = (contentType: string, size: number) => limited(header("image"), [{ ...upload, contentType, size }])
    const uploaded = (contentType: string, size: number) => problems("template", sent, of(contentType, size))
    expect(accepted(sent, of("image/png", 500))).toBe(true)
    expect(uploaded("image/png", 501)).toEqual({
      "message.attachments.0.attachment_id": ["has 501 bytes and must have at most 500 in a header of this channel"]
    })
    expect(uploaded("application/octet-stream", 1)).toEqual({
      "message.attachments.0.attachment_id": ["must be the type of the header: image"]
    })
  })

  it("keeps the values of the header and of the buttons", () => {
    const parts = {
      header: { type: "text" as const, text: "Order {{1}}" },
      buttons: [
        { type: "reply" as const, text: "Stop", url: null },
        { type: "url" as const, text: "Track", url: "https://a.b/{{1}}" },
        { type: "url" as const, text: "Shop", url: "https://a.b" },
        { type: "code" as const, text: "Copy", url: null }
      ]
    }
    const values = { header_variable: "1042", button_variables: ["track-1042", "25OFF"] }
    expect(stored("template", { ...ready, ...values }, on(parts)).content).toEqual({
      type: "template",
      header: "1042",
      buttons: [
        { index: 1, type: "url", value: "track-1042" },
        { index: 3, type: "code", value: "25OFF" }
      ],
      names: null
    })
  })

  it("fills named slots in the order of the text", () => {
    const message = stored(
      "template",
      { template: "order_ready", variables: ["Ada", "1042"] },
      on({ named: true }, "Hi {{name}}, {{order}} is yours, {{name}}")
    )
    expect(message).toMatchObject({ body: "Hi Ada, 1042 is yours, Ada", content: { names: ["name", "order"] } })
  })

  it("keeps the name of the slot in the header", () => {
    const header = { type: "text" as const, text: "Order {{order}}" }
    const fields = { ...ready, header_variable: "1042" }
    expect(stored("template", fields, on({ named: true, header }, "Hi {{name}}")).content).toMatchObject({
      header: "1042",
      slot: "order",
      names: ["name"]
    })
    expect(stored("template", ready, on({ named: true }, "Hi {{name}}")).content).not.toHaveProperty("slot")
  })

  it("copies a one-time password to its button", () => {
    const buttons = [{ type: "otp" as const, text: "Copy code", url: "https://a.b/otp{{1}}" }]
    expect(
      stored("template", { template: "order_ready", variables: ["123456"] }, on({ buttons })).content
    ).toMatchObject({
      buttons: [{ index: 0, type: "url", value: "123456" }]
    })
  })

  const card = (header: "image" | "video", body: string | null) => ({
    header,
    body,
    buttons: [
      { type: "reply" as const, text: "More", url: null },
      { type: "phone" as const, text: "Call", url: null },
      { type: "url" as const, text: "Buy", url: "https://a.b/{{1}}" }
    ]
  })
  const video = { url: "https://example.com/cake.mp4", content_type: "video/mp4" }

  it("keeps the values and files of cards, and has their texts", () => {
    const cards = [
      { variables: ["3 €"], button_variables: ["more-rye", "rye"] },
      { variables: null, button_variables: ["more-spelt", "spelt"] }
    ]
    const message = stored(
      "template",
      { ...ready, cards, attachments: [image, image] },
      on({ cards: [card("image", "Rye, {{1}}"), card("image", "Spelt")] })
    )
    expect(message).toMatchObject({
      body: "Hello Ada\nRye, 3 €\nSpelt",
      content: {
        cards: [
          {
            variables: ["3 €"],
            names: null,
            buttons: [
              { index: 0, type: "reply", value: "more-rye" },
              { index: 2, type: "url", value: "rye" }
            ]
          },
          {
            variables: [],
            names: null,
            buttons: [
              { index: 0, type: "reply", value: "more-spelt" },
              { index: 2, type: "url", value: "spelt" }
            ]
          }
        ]
      }
    })
    expect(message.attachments).toHaveLength(2)
  })

  it("names what is missing or wrong in cards", () => {
    const parts = { cards: [card("image", "Rye, {{1}}"), card("image", null)] }
    const buttons = ["must have exactly 2 items, one for each reply button and each URL with a slot"]
    expect(problems("template", ready, on(parts))).toEqual({
      "message.cards.0.variables": ["must have exactly 1 items, one for each slot"],
      "message.cards.0.button_variables": buttons,
      "message.cards.1.button_variables": buttons,
      "message.attachments": ["must have exactly 2 items: the files of the cards, in their order"]
    })
    const one = { ...ready, cards: [{}], attachments: [image, video] }
    expect(problems("template", one, on({ cards: [card("image", null), card("image", null)] }))).toMatchObject({
      "message.cards": ["must have exactly 2 items, one for each card"]
    })
    const wrong = { ...ready, cards: [{ button_variables: ["a", "b"] }], attachments: [image] }
    expect(problems("template", wrong, on({ cards: [card("video", null)] }))).toEqual({
      "message.attachments.0.content_type": ["must be the type of the header: video"]
    })
    expect(problems("template", { ...ready, cards: [{}] }, on({}))).toEqual({
      "message.cards": ["must be left out: this template has no cards"]
    })
    const odd = { ...ready, cards: [{ variables: 7 }], products: { sections: [{ items: [] }] } }
    expect(Object.keys(problems("template", odd, on({})))).toEqual([
      "message.cards.0.variables",
      "message.products.sections.0.items"
    ])
  })

  const productCard = {
    header: "product" as const,
    body: null,
    buttons: [{ type: "product" as const, text: "View", url: null }]
  }
  const product = { catalog: "194836987003835", id: "rye" }

  it("keeps the products of cards, in a number of the send's choice", () => {
    const cards = ["rye", "spelt", "wheat"].map((id) => ({ product: { ...product, id } }))
    const message = stored("template", { ...ready, cards }, on({ cards: [productCard, productCard] }))
    expect(message).toMatchObject({ body: "Hello Ada", attachments: [] })
    expect(message.content).toMatchObject({
      cards: ["rye", "spelt", "wheat"].map((id) => ({
        product: { ...product, id },
        ...{ variables: [], names: null, buttons: [] }
      }))
    })
  })

  it("names what is missing or wrong in cards of products", () => {
    const parts = on({ cards: [productCard, productCard] })
    const count = { "message.cards": ["must have 2 to 10 items: the cards of the products"] }
    expect(problems("template", ready, parts)).toEqual(count)
    expect(problems("template", { ...ready, cards: [{ product }] }, parts)).toEqual(count)
    expect(problems("template", { ...ready, cards: [{ product }, {}], attachments: [image] }, parts)).toEqual({
      "message.cards.1.product": ["is required: the card shows a product"],
      "message.attachments": ["must be left out: the cards have no files"]
    })
    const file = { ...ready, cards: [{ product }], attachments: [image] }
    expect(problems("template", file, on({ cards: [{ ...card("image", null), buttons: [] }] }))).toEqual({
      "message.cards.0.product": ["must be left out: the card shows a file"]
    })
    const odd = { ...ready, cards: [{ product: { id: "rye" } }, { product }] }
    expect(Object.keys(problems("template", odd, parts))).toEqual(["message.cards.0.product.catalog"])
  })

  const sections = [
    { title: "Dark", items: ["rye", "spelt"] },
    { title: "Light", items: ["wheat"] }
  ]

  it("keeps the products of its button, headed by the first one", () => {
    const buttons = [{ type: "products" as const, text: "View items", url: null }]
    const kept = (products: object) => stored("template", { ...ready, products }, on({ buttons })).content
    expect(kept({ sections })).toMatchObject({ products: { index: 0, thumbnail: "rye", sections } })
    expect(kept({ thumbnail: "wheat", sections: [{ items: ["wheat"] }] })).toMatchObject({
      products: { index: 0, thumbnail: "wheat", sections: [{ title: null, items: ["wheat"] }] }
    })
    const catalogue = on({ buttons: [{ type: "catalog", text: "View catalog", url: null }] })
    expect(stored("template", { ...ready, products: { thumbnail: "rye" } }, catalogue).content).toMatchObject({
      products: { index: 0, thumbnail: "rye", sections: [] }
    })
    expect(stored("template", ready, catalogue).content).toBeNull()
  })

  it("names what is missing or wrong in products", () => {
    const buttons = [{ type: "products" as const, text: "View items", url: null }]
    const wrong = (products: object | null, given = buttons as NonNullable<Template["parts"]>["buttons"]) =>
      problems("template", { ...ready, products }, on({ buttons: given }))
    const missing = { "message.products.sections": ["is required: a button of this template shows products"] }
    expect(wrong(null)).toEqual(missing)
    expect(wrong({ thumbnail: "rye" })).toEqual(missing)
    expect(wrong({ sections: [{ items: ["rye"] }, { title: "Light", items: ["wheat"] }] })).toEqual({
      "message.products.sections.0.title": ["is required: there are several sections"]
    })
    const many = Array.from({ length: 16 }, (_, n) => `p${n}`)
    expect(wrong({ sections: sections.map(({ title }) => ({ title, items: many })) })).toEqual({
      "message.products.sections": ["must have at most 30 products together"]
    })
    const catalogue = [{ type: "catalog" as const, text: "View catalog", url: null }]
    expect(wrong({ sections }, catalogue)).toEqual({
      "message.products.sections": ["must be left out: the button opens the whole catalogue"]
    })
    expect(wrong({}, catalogue)).toEqual({ "message.products.thumbnail": ["is required"] })
    expect(wrong({ sections }, [])).toEqual({ "message.products": ["must be left out: no button shows products"] })
  })

  it("has no content if only the body is filled", () => {
    expect(stored("template", ready, on({ footer: "The shop" })).content).toBeNull()
  })

  it("names what is missing, and what is too much", () => {
    const buttons = [{ type: "code" as const, text: "Copy", url: null }]
    expect(problems("template", ready, on({ header: { type: "text", text: "For {{1}}" }, buttons }))).toEqual({
      "message.header_variable": ["is required: the header of this template has a slot"],
      "message.button_variables": ["must have exactly 1 items, one for each button with a slot or a code"]
    })
    expect(problems("template", ready, on({ header: { type: "video", text: null } }))).toEqual({
      "message.attachments": ["must have exactly one item: the video of the header"]
    })
    expect(
      problems("template", { ...ready, attachments: [image] }, on({ header: { type: "video", text: null } }))
    ).toEqual({ "message.attachments.0.content_type": ["must be the type of the header: video"] })
    const plain = { ...ready, header_variable: "x", button_variables: ["y"], attachments: [image] }
    expect(problems("template", plain, on({}))).toEqual({
      "message.header_variable": ["must be left out: the header has no slot"],
      "message.button_variables": ["must have exactly 0 items, one for each button with a slot or a code"],
      "message.attachments": ["must be left out: the header of this template takes no file"]
    })
  })
})

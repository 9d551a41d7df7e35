import { expect } from "vitest"
import { refusal, resource, wrongFields } from "../Answers.js"
import { freshHandle, freshNumber } from "../Handles.js"
import { InboundMessage, Message, OutboundMessage, SendAcknowledgement, Upload } from "../Resources.js"
import type { Section } from "../Suite.js"
import { shaped } from "../shaped.js"
import { otherTenant, shop } from "../shared.js"
import type { Tenant } from "../Workspace.js"
import type { World } from "../World.js"

const place = { latitude: 52.52, longitude: 13.405, name: "Bakery", address: null, url: null }
const options = [
  { id: "yes", title: "Yes", description: null },
  { id: "no", title: "No", description: null }
]

/** A message of a customer, simulated with these fields. */
const simulated = async (world: World, { connections }: Tenant, from: string, fields: object) =>
  shaped(
    InboundMessage,
    await world.admin.post(`/connections/${connections.whatsapp}/simulate-inbound`, { from, ...fields }),
    "a simulated message"
  )

/** Sends on WhatsApp to a customer who has just written. */
const sent = async (tenant: Tenant, to: string, type: string, message: object) => {
  await tenant.inbound(tenant.connections.whatsapp, to)
  const body = { channel: "whatsapp", to, type, message }
  const { message_id } = resource(await tenant.app.api.post("/messages", body), 202, SendAcknowledgement)
  return message_id
}

/** Waits until a message is delivered or has failed. */
const ended = (world: World, { app: { api } }: Tenant, id: string) =>
  world.until(`message ${id} has ended`, async () => {
    const message = resource(await api.get(`/messages/${id}`), 200, OutboundMessage)
    return message.status === "queued" || message.status === "sent" ? undefined : message
  })

/** Content beyond texts and templates: additions to the interface (docs/reference/content.md). */
export const content: Section = ({ proves }) => {
  const received: ReadonlyArray<readonly [content: { readonly type: string }, body: string]> = [
    [{ type: "location", ...place }, "Bakery\n52.52, 13.405"],
    [
      {
        type: "contacts",
        ...{ contacts: [{ name: "Ada", organization: null, phones: ["+4930123"], emails: [] }] }
      } as { readonly type: string },
      "Ada\n+4930123"
    ],
    [{ type: "choice", ...{ id: "yes", title: "Yes" } }, "Yes"],
    [{ type: "form", ...{ name: null, answers: { size: "L" } } }, "size: L"],
    [
      {
        type: "order",
        ...{ catalog: null, items: [{ product: "p", name: "Bread", quantity: 2, price: 3, currency: "EUR" }] }
      },
      "2 × Bread, 3 EUR"
    ],
    [{ type: "reaction", ...{ emoji: "👍" } }, "👍"],
    [{ type: "deletion" }, "Message deleted"],
    [{ type: "system", ...{ event: "request_welcome" } }, "request_welcome"],
    [{ type: "unsupported", ...{ kind: "poll" } }, "Unsupported content: poll"]
  ]
  for (const [content, body] of received) {
    proves(`Content · ${content.type} · of a customer is read with its type and readable text`, async (world) => {
      const tenant = await shop(world)
      const from = freshNumber()
      // A deletion alone creates no contact.
      await simulated(world, tenant, from, { body: "Hello" })
      const { id } = await simulated(world, tenant, from, { content })
      const message = resource(await tenant.app.api.get(`/messages/${id}`), 200, InboundMessage)
      expect(message).toMatchObject({ type: content.type, body, content, origin: "customer" })
    })
  }

  const outgoing: ReadonlyArray<readonly [type: string, message: object, content: object, body: string]> = [
    ["location", { content: { latitude: 52.52, longitude: 13.405, name: "Bakery" } }, place, "Bakery\n52.52, 13.405"],
    [
      "contacts",
      { content: { contacts: [{ name: "Ada" }] } },
      { contacts: [{ name: "Ada", organization: null, phones: [], emails: [] }] },
      "Ada"
    ],
    [
      "choices",
      { body: "Today?", content: { options: options.map(({ id, title }) => ({ id, title })) } },
      { options, button: null },
      "Today?"
    ]
  ]
  for (const [type, message, content, body] of outgoing) {
    proves(`POST /messages · ${type} · is sent and read with its content`, async (world) => {
      const tenant = await shop(world)
      const id = await sent(tenant, freshNumber(), type, message)
      const read = resource(await tenant.app.api.get(`/messages/${id}`), 200, OutboundMessage)
      expect(read).toMatchObject({ type, body, content: { type, ...content }, origin: "application" })
    })
  }

  proves("POST /messages · quoted · names a message of the conversation, and a reaction needs it", async (world) => {
    const tenant = await shop(world)
    const to = freshNumber()
    const question = await simulated(world, tenant, to, { body: "Are you open?" })
    const id = await sent(tenant, to, "text", { body: "Yes", quoted: question.id })
    const read = resource(await tenant.app.api.get(`/messages/${id}`), 200, OutboundMessage)
    expect(read.quoted?.message_id).toBe(question.id)
    const reaction = { channel: "whatsapp", to, type: "reaction", message: { content: { emoji: "👍" } } }
    expect(wrongFields(await tenant.app.api.post("/messages", reaction))).toEqual(["message.quoted"])
    const other = await simulated(world, tenant, freshNumber(), { body: "Hello" })
    const foreign = { channel: "whatsapp", to, type: "text", message: { body: "Hi", quoted: other.id } }
    expect(wrongFields(await tenant.app.api.post("/messages", foreign))).toEqual(["message.quoted"])
  })

  proves("Quoted · of another application's message · has no id for others, in reads and webhooks", async (world) => {
    const tenant = await shop(world)
    const other = await tenant.application()
    const [own, foreign] = [
      await tenant.endpoint(tenant.app, world.inbox(), ["message.received"]),
      await tenant.endpoint(other, world.inbox(), ["message.received"])
    ]
    const to = freshNumber()
    const question = await sent(tenant, to, "choices", { body: "Today?", content: { options } })
    await world.until("the question has the channel's id", async () => {
      const { status } = resource(await tenant.app.api.get(`/messages/${question}`), 200, OutboundMessage)
      return status === "queued" ? undefined : status
    })
    const answer = { content: { type: "choice", id: "yes", title: "Yes" }, quoted: question }
    const { id } = await simulated(world, tenant, to, answer)
    for (const [{ api }, { arrivals }, expected] of [
      [tenant.app, own, question],
      [other, foreign, null]
    ] as const) {
      const read = resource(await api.get(`/messages/${id}`), 200, InboundMessage)
      expect(read.quoted).toMatchObject({ message_id: expected, provider_message_id: expect.any(String) })
      const arrival = await world.until(`the webhook about ${id}`, () =>
        arrivals.find(({ body }) => (body.data.message as { readonly id?: string }).id === id)
      )
      const { message } = arrival.body.data
      expect(shaped(Message, message, "the message of the webhook").quoted?.message_id).toBe(expected)
    }
  })

  proves("POST /messages · 422 · at a location's url and at a long label, which would be lost", async (world) => {
    const { api } = (await shop(world)).app
    const send = (type: string, message: object) =>
      api.post("/messages", { channel: "whatsapp", to: freshNumber(), type, message })
    const page = { content: { ...place, url: "https://bakery.example" } }
    expect(wrongFields(await send("location", page))).toEqual(["message.content.url"])
    const question = { body: "Today?", content: { options, button: "b".repeat(21) } }
    expect(wrongFields(await send("choices", question))).toEqual(["message.content.button"])
  })

  proves(
    "POST /messages · 422 · at type if the channel does not carry it, at fields that are of another type",
    async (world) => {
      const { api } = (await shop(world)).app
      const to = freshHandle("email")
      const location = { channel: "email", to, type: "location", message: { content: place } }
      expect(wrongFields(await api.post("/messages", location))).toEqual(["type"])
      const files = {
        channel: "email",
        to,
        type: "text",
        message: { body: "See", attachments: [{ url: "https://a.example/b" }] }
      }
      expect(wrongFields(await api.post("/messages", files))).toEqual(["message.attachments"])
      const text = { channel: "email", to, type: "text", message: { body: "Here", content: place } }
      expect(wrongFields(await api.post("/messages", text))).toEqual(["message.content"])
    }
  )

  proves("POST /messages · media · is sent with the files at its URLs, and fails without them", async (world) => {
    const tenant = await shop(world)
    const source = world.inbox()
    source.answer({ status: 200, headers: { "content-type": "image/png" }, body: "a picture" })
    const gone = world.inbox()
    gone.answer({ status: 404 })
    const sentFile = async (url: string) => {
      const attachments = [{ url, file_name: "parcel.png" }]
      return ended(world, tenant, await sent(tenant, freshNumber(), "media", { body: "See", attachments }))
    }
    const delivered = await sentFile(source.url)
    expect(delivered).toMatchObject({ type: "media", body: "See", error: null })
    expect(delivered.attachments).toMatchObject([
      { type: "image", content_type: "image/png", file_name: "parcel.png", size: 9 }
    ])
    expect(await (await fetch(String(delivered.attachments[0]?.url))).text()).toBe("a picture")
    expect(await sentFile(gone.url)).toMatchObject({ status: "failed", error: { code: "validation_failed" } })
  })

  proves("POST /attachments · stores a file that messages are sent with, of this application alone", async (world) => {
    const tenant = await shop(world)
    const { api } = tenant.app
    const headers = { "content-type": "text/plain" }
    const answer = await api.post("/attachments?file_name=letter.txt", undefined, { raw: "Dear Ada", headers })
    const upload = resource(answer, 201, Upload)
    expect(upload).toMatchObject({ type: "document", content_type: "text/plain", file_name: "letter.txt", size: 8 })
    expect(resource(await api.get(`/attachments/${upload.id}`), 200, Upload)).toEqual(upload)
    const attachments = [{ attachment_id: upload.id }]
    const id = await sent(tenant, freshNumber(), "media", { body: "See", attachments })
    const message = resource(await api.get(`/messages/${id}`), 200, OutboundMessage)
    expect(message.attachments).toMatchObject([{ type: "document", file_name: "letter.txt", size: 8 }])
    expect(await (await fetch(String(message.attachments[0]?.url))).text()).toBe("Dear Ada")
    const other = await otherTenant(world)
    refusal(await other.app.api.get(`/attachments/${upload.id}`), 404, "not_found")
    const stolen = { channel: "whatsapp", to: freshNumber(), type: "media", message: { attachments } }
    expect(wrongFields(await other.app.api.post("/messages", stolen))).toEqual(["message.attachments.0.attachment_id"])
  })

  proves("POST /messages · several files · are messages in their order where a message has one", async (world) => {
    const tenant = await shop(world)
    const { api } = tenant.app
    const to = freshNumber()
    await tenant.inbound(tenant.connections.whatsapp, to)
    const uploaded = async (raw: string) =>
      resource(
        await api.post("/attachments", undefined, { raw, headers: { "content-type": "text/plain" } }),
        201,
        Upload
      )
    const files = [await uploaded("first"), await uploaded("second")]
    const attachments = files.map(({ id }) => ({ attachment_id: id }))
    const body = { channel: "whatsapp", to, type: "media", message: { body: "See", attachments } }
    const { message_id, message_ids = [] } = resource(await api.post("/messages", body), 202, SendAcknowledgement)
    expect([message_ids[0], new Set(message_ids).size]).toEqual([message_id, 2])
    // Ids are in the order of creation. A comparison of `sent_at` would fail where the first send takes over a second.
    expect(message_ids).toEqual([...message_ids].sort())
    const [first, second] = await Promise.all(message_ids.map((id) => ended(world, tenant, id)))
    expect([first?.body, second?.body]).toEqual(["See", ""])
    expect([first, second].map((message) => message?.attachments.length)).toEqual([1, 1])
    expect(second?.group_id).toBe(first?.group_id)
  })

  proves("Content · deletion · erases the text of the customer's message that it quotes", async (world) => {
    const tenant = await shop(world)
    const from = freshNumber()
    const { id } = await simulated(world, tenant, from, { body: "my secret" })
    await simulated(world, tenant, from, { content: { type: "deletion" }, quoted: id })
    const read = resource(await tenant.app.api.get(`/messages/${id}`), 200, InboundMessage)
    expect(read.body).toBe("")
  })
}

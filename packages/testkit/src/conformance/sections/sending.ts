import { expect } from "vitest"
import { page, problems, refusal, resource, wrongFields } from "../Answers.js"
import { freshHandle, freshNumber } from "../Handles.js"
import {
  type Channel,
  Contact,
  Conversation,
  channels,
  ListedChannel,
  OutboundMessage,
  SendAcknowledgement
} from "../Resources.js"
import { once, type Section } from "../Suite.js"
import { otherTenant, shop } from "../shared.js"
import type { Tenant } from "../Workspace.js"

const unknownId = "01890a5d-ac96-774b-bcce-b302099a8057"
const windowed: ReadonlyArray<Channel> = ["whatsapp", "instagram", "facebook"]

/** A workspace with connections on every channel, one of them not on the allow-list, and templates of every kind. */
const counter = once(async (world) => {
  const tenant = await shop(world)
  const templates = [
    { name: "order_shipped", body: "Hello {{1}}, order {{2}} is on its way, {{1}}.", category: "utility" },
    { name: "bilingual", language: "en", body: "Hello" },
    { name: "bilingual", language: "de", body: "Hallo" },
    { name: "french_or_german", language: "fr", body: "Bonjour" },
    { name: "french_or_german", language: "de", body: "Hallo" },
    { name: "only_german", language: "de", body: "Hallo" },
    ...["draft", "pending", "rejected", "paused"].map((status) => ({ name: `is_${status}`, status, body: "Hi {{1}}" }))
  ]
  await Promise.all(templates.map(tenant.template))
  const other = await tenant.connection("whatsapp", { handle: "+15550008888" })
  return { ...tenant, otherConnection: other.id }
})

const text = (channel: Channel, to: string, fields: object = {}) => ({
  ...{ channel, to, type: "text", message: { body: "Hello" } },
  ...fields
})
const template = (to: string, message: object = {}, fields: object = {}) => ({
  ...{ channel: "whatsapp", to, type: "template" },
  message: { template: "order_shipped", language: "en", variables: ["Ada", "A-1"], ...message },
  ...fields
})
/** A handle from which a customer wrote just now, where the channel asks for that. */
const withConversation = async (tenant: Tenant, channel: Channel): Promise<string> => {
  const handle = freshHandle(channel)
  if (windowed.includes(channel)) await tenant.inbound(tenant.connections[channel], handle)
  return handle
}

/** Sending messages (docs/reference/messages.md#sending-a-message). */
export const sending: Section = ({ proves }) => {
  proves("POST /messages · answers 202 with the acknowledgement", async (world) => {
    const { app, connections } = await counter(world)
    const answer = await app.api.post("/messages", template(freshNumber(), {}, { external_reference: "order 7" }))
    const acknowledgement = resource(answer, 202, SendAcknowledgement)
    expect(acknowledgement).toMatchObject({
      external_reference: "order 7",
      connection_id: connections.whatsapp,
      request_id: answer.headers.get("x-request-id")
    })
    const message = resource(await app.api.get(`/messages/${acknowledgement.message_id}`), 200, OutboundMessage)
    expect(message).toMatchObject({
      conversation_id: acknowledgement.conversation_id,
      contact_id: acknowledgement.contact_id,
      connection_id: acknowledgement.connection_id,
      ...{ type: "template", external_reference: "order 7", attachments: [], error: null }
    })
  })

  for (const channel of channels) {
    proves(
      `POST /messages · channel · ${channel} is accepted, and its first send creates contact and conversation`,
      async (world) => {
        const tenant = await counter(world)
        const { api } = tenant.app
        const to = freshHandle(channel)
        const known = windowed.includes(channel) ? await tenant.inbound(tenant.connections[channel], to) : undefined
        const sent = resource(await api.post("/messages", text(channel, to)), 202, SendAcknowledgement)
        expect(sent.connection_id).toBe(tenant.connections[channel])
        if (known !== undefined) {
          expect([sent.contact_id, sent.conversation_id]).toEqual([known.contact_id, known.conversation_id])
        }
        const contact = resource(await api.get(`/contacts/${sent.contact_id}`), 200, Contact)
        // Web chat visitors are identified by the conversation only.
        expect(contact.identities.map((identity) => [identity.channel, identity.handle])).toEqual(
          channel === "webchat" ? [] : [[channel, to]]
        )
        expect(contact).toMatchObject({
          email: channel === "email" ? to : null,
          phone: channel === "whatsapp" ? to : null
        })
        const conversation = resource(await api.get(`/conversations/${sent.conversation_id}`), 200, Conversation)
        expect(conversation).toMatchObject({ channel, contact_id: sent.contact_id, status: "open" })
        const again = resource(await api.post("/messages", text(channel, to)), 202, SendAcknowledgement)
        expect([again.contact_id, again.conversation_id]).toEqual([sent.contact_id, sent.conversation_id])
        expect(again.message_id).not.toBe(sent.message_id)
      }
    )
  }
  proves("POST /messages · channel · other values are refused", async (world) => {
    const { api } = (await counter(world)).app
    for (const channel of ["sms", "phone", "WhatsApp", 1]) {
      expect(wrongFields(await api.post("/messages", { ...text("email", "a@b.example"), channel }))).toEqual([
        "channel"
      ])
    }
  })

  proves("POST /messages · body · each required field that is missing is named, all at once", async (world) => {
    const { api } = (await counter(world)).app
    expect(wrongFields(await api.post("/messages", { type: "text" }))).toEqual(["channel", "message", "to"])
    for (const field of ["channel", "to", "message"]) {
      expect(wrongFields(await api.post("/messages", text("email", "a@b.example", { [field]: undefined })))).toEqual([
        field
      ])
    }
    expect(wrongFields(await api.post("/messages", text("email", "a@b.example", { message: {} })))).toEqual([
      "message.body"
    ])
  })

  const malformed: ReadonlyArray<readonly [channel: Channel, ...to: ReadonlyArray<unknown>]> = [
    ["whatsapp", "ada", "5550000", "+123", "+1234567890123456", ""],
    ["email", "ada", "ada@", "a b@c.example"],
    ["telegram", "a\nb", "x".repeat(256), 5],
    ["webchat", "a\nb", "x".repeat(256)],
    ["instagram", "a\nb", "x".repeat(256)],
    ["facebook", "a\nb", "x".repeat(256)]
  ]
  for (const [channel, ...handles] of malformed) {
    proves(`POST /messages · to · must be a handle of ${channel}`, async (world) => {
      const { api } = (await counter(world)).app
      for (const to of handles) {
        expect(wrongFields(await api.post("/messages", text(channel, "x", { to }))), String(to)).toEqual(["to"])
      }
    })
  }

  proves("POST /messages · type · is text or template", async (world) => {
    const { api } = (await counter(world)).app
    for (const type of ["image", "Text", 1, undefined]) {
      expect(wrongFields(await api.post("/messages", text("email", "a@b.example", { type })))).toEqual(["type"])
    }
  })

  proves("POST /messages · external_reference · is optional text of at most 255 characters", async (world) => {
    const { api } = (await counter(world)).app
    const send = (external_reference: unknown) =>
      api.post("/messages", template(freshNumber(), {}, { external_reference }))
    for (const given of ["é".repeat(255), null]) {
      expect(resource(await send(given), 202, SendAcknowledgement).external_reference).toBe(given)
    }
    for (const wrong of ["é".repeat(256), 5]) expect(wrongFields(await send(wrong))).toEqual(["external_reference"])
  })

  proves(
    "POST /messages · connection_id · is optional: else the connection of the newest conversation",
    async (world) => {
      const tenant = await world.workspace(["email"])
      const second = await tenant.connection("email", { handle: "second@shop.example" })
      const api = (await tenant.application({ connection_ids: [tenant.connections.email, second.id] })).api
      const to = freshHandle("email")
      const sent = async (fields: object = {}) =>
        resource(await api.post("/messages", text("email", to, fields)), 202, SendAcknowledgement)
      // The oldest connection, if there is no conversation.
      expect((await sent()).connection_id).toBe(tenant.connections.email)
      const other = await sent({ connection_id: second.id })
      expect(other.connection_id).toBe(second.id)
      expect((await sent()).connection_id).toBe(second.id)
    }
  )
  proves("POST /messages · connection_id · one that is not allow-listed, foreign or unknown is 403", async (world) => {
    const { app, otherConnection } = await counter(world)
    const elsewhere = await otherTenant(world)
    for (const connection_id of [otherConnection, elsewhere.connections.whatsapp, unknownId]) {
      refusal(await app.api.post("/messages", template(freshNumber(), {}, { connection_id })), 403, "forbidden")
    }
  })
  proves("POST /messages · connection_id · one of another channel, or no UUID, is 422", async (world) => {
    const { app, connections } = await counter(world)
    for (const connection_id of [connections.email, "none", 5]) {
      const answer = await app.api.post("/messages", template(freshNumber(), {}, { connection_id }))
      expect(wrongFields(answer)).toEqual(["connection_id"])
    }
  })
  proves(
    "POST /messages · channel · one without an allow-listed connection is 403 with details.channel",
    async (world) => {
      const tenant = await counter(world)
      const narrow = await tenant.application({ connection_ids: [tenant.connections.email] })
      const answer = await narrow.api.post("/messages", text("telegram", "ada"))
      expect(refusal(answer, 403, "forbidden")).toEqual({ channel: "telegram" })
    }
  )

  proves("POST /messages · message.template · is required for a template, and must be known", async (world) => {
    const { api } = (await counter(world)).app
    for (const name of [undefined, null, "", "nobody_knows_it", 5]) {
      expect(wrongFields(await api.post("/messages", template(freshNumber(), { template: name })))).toEqual([
        "message.template"
      ])
    }
  })
  const languages = [
    ["the named one", { template: "bilingual", language: "de" }, "Hallo"],
    ["without one, the only one", { template: "only_german" }, "Hallo"],
    ["without one, the workspace's", { template: "bilingual" }, "Hello"]
  ] as const
  for (const [what, { template: name, ...given }, body] of languages) {
    proves(`POST /messages · message.language · ${what}`, async (world) => {
      const { api } = (await counter(world)).app
      const message = { template: name, language: undefined, variables: undefined, ...given }
      const sent = resource(await api.post("/messages", template(freshNumber(), message)), 202, SendAcknowledgement)
      expect(resource(await api.get(`/messages/${sent.message_id}`), 200, OutboundMessage).body).toBe(body)
    })
  }
  proves("POST /messages · message.language · is 422 if missing or unknown to the template", async (world) => {
    const { api } = (await counter(world)).app
    for (const [name, language] of [
      ["french_or_german", undefined],
      ["bilingual", "fr"]
    ]) {
      const answer = await api.post("/messages", template(freshNumber(), { template: name, language, variables: [] }))
      expect(wrongFields(answer)).toEqual(["message.language"])
    }
  })
  proves("POST /messages · message.variables · fill the slots in order, one used twice counts once", async (world) => {
    const { api } = (await counter(world)).app
    const sent = resource(await api.post("/messages", template(freshNumber())), 202, SendAcknowledgement)
    const { body } = resource(await api.get(`/messages/${sent.message_id}`), 200, OutboundMessage)
    expect(body).toBe("Hello Ada, order A-1 is on its way, Ada.")
    for (const variables of [[], ["Ada"], ["Ada", "A-1", "x"], undefined]) {
      expect(wrongFields(await api.post("/messages", template(freshNumber(), { variables })))).toEqual([
        "message.variables"
      ])
    }
    expect(wrongFields(await api.post("/messages", template(freshNumber(), { variables: ["Ada", 5] })))).toEqual([
      "message.variables.1"
    ])
  })

  proves("POST /messages · message.subject · is for email only", async (world) => {
    const tenant = await counter(world)
    const message = { body: "Hello", subject: "Your order" }
    const send = async (channel: Channel, more: object = message) =>
      tenant.app.api.post("/messages", text(channel, await withConversation(tenant, channel), { message: more }))
    resource(await send("email"), 202, SendAcknowledgement)
    expect(wrongFields(await send("telegram"))).toEqual(["message.subject"])
    expect(wrongFields(await send("email", { ...message, subject: "a\r\nBcc: b@c.example" }))).toEqual([
      "message.subject"
    ])
  })
  for (const channel of channels) {
    proves(`POST /messages · message.body · is at most what ${channel} takes`, async (world) => {
      const tenant = await counter(world)
      const { api } = tenant.app
      const listed = page(await api.get("/channels"), ListedChannel).data.find(
        ({ id }) => id === tenant.connections[channel]
      )
      const most = listed?.capabilities.text_max_length ?? null
      const to = await withConversation(tenant, channel)
      const send = (length: number) =>
        api.post("/messages", text(channel, to, { message: { body: "é".repeat(length) } }))
      resource(await send(most ?? 20_000), 202, SendAcknowledgement)
      if (most !== null) expect(wrongFields(await send(most + 1))).toEqual(["message.body"])
    })
  }

  for (const status of ["draft", "pending", "rejected", "paused"]) {
    proves(
      `POST /messages · template_not_approved · a template that is ${status}, whatever its variables`,
      async (world) => {
        const { api } = (await counter(world)).app
        for (const variables of [["x"], []]) {
          const answer = await api.post("/messages", template(freshNumber(), { template: `is_${status}`, variables }))
          refusal(answer, 422, "template_not_approved")
        }
      }
    )
  }
  proves("POST /messages · template_not_approved · a template on a channel without templates", async (world) => {
    const { api } = (await counter(world)).app
    const answer = await api.post("/messages", template(freshHandle("telegram"), {}, { channel: "telegram" }))
    refusal(answer, 422, "template_not_approved")
  })

  for (const channel of channels) {
    const isWindowed = windowed.includes(channel)
    proves(
      `POST /messages · outside_service_window · ${channel} takes free text ${isWindowed ? "only after the customer wrote" : "at any time"}`,
      async (world) => {
        const tenant = await counter(world)
        const send = (to: string) => tenant.app.api.post("/messages", text(channel, to))
        const handle = freshHandle(channel)
        if (!isWindowed) return resource(await send(handle), 202, SendAcknowledgement)
        expect(refusal(await send(handle), 422, "outside_service_window")).toEqual({ expires_at: null })
        const { conversation_id, received_at } = await tenant.inbound(tenant.connections[channel], handle)
        resource(await send(handle), 202, SendAcknowledgement)
        // The window closes after a day; only its end is checked.
        const { data } = (await tenant.app.api.get(`/conversations/${conversation_id}`)).json as {
          readonly data: typeof Conversation.Type
        }
        expect(Date.parse(String(data.service_window_expires_at))).toBe(Date.parse(received_at) + 24 * 3_600_000)
        return undefined
      }
    )
  }
  proves("POST /messages · outside_service_window · a template may start a conversation", async (world) => {
    const { api } = (await counter(world)).app
    const to = freshNumber()
    resource(await api.post("/messages", template(to)), 202, SendAcknowledgement)
    // Only the customer opens the window.
    expect(refusal(await api.post("/messages", text("whatsapp", to)), 422, "outside_service_window")).toEqual({
      expires_at: null
    })
  })

  for (const status of ["paused", "disconnected"]) {
    proves(`POST /messages · channel_unavailable · a connection that is ${status}`, async (world) => {
      const tenant = await counter(world)
      const { id } = await tenant.connection("telegram", { handle: `bot-${status}` })
      const { api } = await tenant.application({ connection_ids: [id] })
      const send = () => api.post("/messages", text("telegram", freshHandle("telegram"), { connection_id: id }))
      resource(await send(), 202, SendAcknowledgement)
      await world.admin.patch(`/connections/${id}`, { status })
      refusal(await send(), 422, "channel_unavailable")
      await world.admin.patch(`/connections/${id}`, { status: "active" })
      resource(await send(), 202, SendAcknowledgement)
    })
  }

  for (const channel of channels) {
    proves(
      `POST /messages · provider_error · a rejection on ${channel} is 502 and marks the message failed`,
      async (world) => {
        const tenant = await counter(world)
        const { api } = tenant.app
        const to = freshHandle(channel, "reject")
        if (windowed.includes(channel)) await tenant.inbound(tenant.connections[channel], to)
        const answer = await api.post("/messages", text(channel, to, { external_reference: "refused" }))
        const details = refusal(answer, 502, "provider_error")
        expect(details).toEqual({
          provider: "sandbox",
          code: expect.any(String),
          message: expect.any(String),
          message_id: expect.any(String)
        })
        const message = resource(await api.get(`/messages/${details.message_id}`), 200, OutboundMessage)
        expect(message).toMatchObject({
          status: "failed",
          external_reference: "refused",
          error: { code: "provider_error" }
        })
        expect([message.sent_at, message.delivered_at, message.read_at]).toEqual([null, null, null])
        // The error does not contain the provider's text.
        expect(message.error?.message).not.toBe(details.message)
      }
    )
  }

  proves(
    "POST /messages · validation_failed · names nested fields and all problems at once, and echoes no value",
    async (world) => {
      const { api } = (await counter(world)).app
      const answer = await api.post("/messages", {
        ...{ channel: "whatsapp", to: "Sesame", type: "template", external_reference: 5, connection_id: "Sesame" },
        message: { template: ["Sesame"], language: { a: 1 }, variables: [1, "fine", null] }
      })
      expect(Object.keys(problems(answer)).sort()).toEqual([
        ...["connection_id", "external_reference", "message.language", "message.template"],
        ...["message.variables.0", "message.variables.2", "to"]
      ])
      expect(answer.text).not.toContain("Sesame")
    }
  )
  proves("POST /messages · acknowledgement · has exactly its seven fields", async (world) => {
    const { api } = (await counter(world)).app
    const answer = await api.post("/messages", template(freshNumber()))
    const { data } = answer.json as { readonly data: object }
    // `message_ids` is that of a send that became several messages.
    const { message_ids: _, ...seven } = SendAcknowledgement.fields
    expect(Object.keys(data).sort()).toEqual(Object.keys(seven).sort())
  })
}

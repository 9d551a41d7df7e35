import {
  aConnection,
  aContact,
  aConversation,
  aMessage,
  anAgent,
  anApplication,
  anEndpoint,
  aTemplate,
  aWorkspace,
  channelsNamed,
  makeTestIds,
  someTime
} from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { decodeReplyInput } from "../../../src/flows/agentReplies/ReplyInput.js"
import { type ReplyWorld, reply } from "../../../src/flows/agentReplies/reply.js"
import type { Capabilities } from "../../../src/model/Channel.js"
import { channelOf } from "../../../src/model/Channel.js"
import { hour } from "../../../src/model/Instant.js"
import { agreed, inserted, refused } from "../../outcomes.js"

const now = someTime + hour
const grace = anAgent({ id: "01900000-0000-7000-8000-0000000000a1" })
const connection = aConnection({ channel: "whatsapp", status: "active", config: {} })
const handle = "+491701234567"
const contact = aContact({
  id: "01900000-0000-7000-8000-0000000000c1",
  identities: [{ channel: "whatsapp", handle, displayName: null }]
})
const conversation = aConversation({
  id: "01900000-0000-7000-8000-0000000000d1",
  connectionId: connection.id,
  contactId: contact.id,
  handle,
  lastInboundAt: someTime
})
const hello = aTemplate({
  id: "01900000-0000-7000-8000-0000000000e2",
  channel: "whatsapp",
  name: "hello",
  language: "en",
  body: "Hi {{1}}",
  status: "approved"
})
const world: ReplyWorld = {
  workspace: aWorkspace({ defaultLanguage: "en" }),
  conversation,
  contact,
  connection,
  channel: channelOf(channelsNamed("whatsapp", "email"), connection.channel),
  capabilities: {
    textMaxLength: 20,
    templates: true,
    deliveryReceipts: true,
    readReceipts: true,
    serviceWindowHours: 24
  },
  textProblem: (text) => (text.includes("\t") ? "must be without tabs" : null),
  reactionProblem: (id) => (id === "pressed" ? "must be a message" : null),
  templates: [],
  quoted: undefined,
  agent: undefined,
  session: undefined,
  botJobs: [],
  subscribers: {
    endpoints: [anEndpoint({ events: ["*"] })],
    applications: [anApplication({ scopes: ["webhooks.receive"] })]
  }
}
const say = (body: { readonly [field: string]: unknown }, more: Partial<ReplyWorld> = {}) =>
  reply({ ...world, ...more }, decodeReplyInput(body), now, makeTestIds())
const templated = { template: "hello", variables: ["Ada"] }

describe("an agent's reply", () => {
  it("is queued for the conversation's handle", () => {
    const decision = agreed(say({ body: "hello", agent_id: grace.id }, { agent: grace }))
    const [message] = inserted(decision, "messages")
    expect(message).toMatchObject({
      applicationId: null,
      agentId: grace.id,
      conversationId: conversation.id,
      contactId: contact.id,
      direction: "outbound",
      type: "text",
      status: "queued",
      body: "hello"
    })
    expect(inserted(decision, "jobs").find(({ lane }) => lane === "sends")).toMatchObject({
      subject: connection.id,
      reference: message?.id,
      payload: { to: handle }
    })
    expect(decision.result).toEqual(message)
  })
  it("carries content, and quotes any message of the conversation", () => {
    const capabilities = { ...(world.capabilities as Capabilities), types: ["text", "reaction"] as const, quotes: true }
    const quoted = aMessage({
      id: "01900000-0000-7000-8000-0000000000f1",
      conversationId: conversation.id,
      applicationId: "01900000-0000-7000-8000-0000000000f2",
      providerMessageId: "wamid.1"
    })
    const reaction = { type: "reaction", content: { emoji: "👍" }, quoted: quoted.id }
    const [message] = inserted(agreed(say(reaction, { capabilities, quoted })), "messages")
    expect(message).toMatchObject({
      type: "reaction",
      content: { type: "reaction", emoji: "👍" },
      envelope: { quoted: { messageId: quoted.id, applicationId: quoted.applicationId } }
    })
    expect(refused(say(reaction, { capabilities })).details).toEqual({
      quoted: ["must be the id of a message of this conversation"]
    })
    const pressed = { ...quoted, providerMessageId: "pressed" }
    expect(refused(say(reaction, { capabilities, quoted: pressed })).details).toEqual({ quoted: ["must be a message"] })
    expect(
      refused(say({ type: "location", content: { latitude: 1, longitude: 2 } }, { capabilities })).details
    ).toEqual({
      type: ["must be one of text, reaction on this channel"]
    })
    expect(refused(say({ body: "hello", attachments: [{ url: "https://a" }] })).details).toEqual({
      attachments: ["are for the types media and template only"]
    })
  })
  it("asks with choices on a channel without them, which are numbered when it is sent", () => {
    const capabilities = { ...(world.capabilities as Capabilities), types: ["text"] as const }
    const choices = { type: "choices", body: "Tea?", content: { options: [{ id: "yes", title: "Yes" }] } }
    const [message] = inserted(agreed(say(choices, { capabilities })), "messages")
    expect(message).toMatchObject({
      type: "choices",
      body: "Tea?",
      content: { options: [{ id: "yes", title: "Yes" }] }
    })
  })
  it("is delivered to all applications of the connection, without an external reference", () => {
    const decision = agreed(say({ body: "hello" }))
    expect(inserted(decision, "events")).toMatchObject([
      { type: "message.queued", applicationId: null, connectionId: connection.id, hasExternalReference: false }
    ])
    expect(inserted(decision, "deliveries")).toHaveLength(1)
  })
  it("expects the conversation's contact and an active agent", () => {
    const { changes } = agreed(say({ body: "hello", agent_id: grace.id }, { agent: grace }))
    expect(changes?.expects).toEqual(
      expect.arrayContaining([
        { table: "conversations", key: { id: conversation.id }, where: { contactId: contact.id } },
        { table: "agents", key: { id: grace.id }, where: { status: "active" } }
      ])
    )
  })
  it("goes to the current contact of the handle and moves the conversation to that contact", () => {
    const heir = { ...contact, id: "01900000-0000-7000-8000-0000000000c2" }
    const decision = agreed(say({ body: "hello" }, { contact: heir }))
    expect(inserted(decision, "messages")).toMatchObject([{ contactId: heir.id, conversationId: conversation.id }])
    expect(decision.changes?.sets).toContainEqual({
      table: "conversations",
      key: { id: conversation.id },
      values: { contactId: heir.id }
    })
  })
  it("conflicts if the contact was deleted during the read, so that it is decided again", () => {
    const { changes } = agreed(say({ body: "hello" }, { contact: undefined }))
    expect(changes?.claims).toMatchObject([{ table: "addresses", row: { space: "phone", handle } }])
    expect(changes?.expects).toContainEqual({
      table: "conversations",
      key: { id: conversation.id },
      where: { version: conversation.version }
    })
  })
  it("needs either a text within the channel's maximum length or a template", () => {
    expect(refused(say({})).details).toEqual({ body: ["is required"] })
    expect(refused(say({ body: "x".repeat(21), subject: "Hi" })).details).toEqual({
      body: ["must be at most 20 characters on this channel"],
      subject: ["is not possible on this channel"]
    })
    expect(refused(say({ body: "a\tb" })).details).toEqual({ body: ["must be without tabs"] })
    expect(refused(say({ ...templated, body: "hello" }, { templates: [hello] })).details).toEqual({
      body: ["must be left out where a template is named"]
    })
    expect(refused(say({ template: "hello" }, { templates: [hello] })).details).toEqual({
      variables: ["must have exactly 1 items, one for each slot"]
    })
    expect(refused(say(templated)).details).toEqual({
      template: ["is not a template of this workspace on this channel"]
    })
  })
  it("renders a template", () => {
    const [message] = inserted(agreed(say(templated, { templates: [hello] })), "messages")
    expect(message).toMatchObject({ type: "template", body: "Hi Ada", templateName: "hello", variables: ["Ada"] })
  })
  it("is refused if the contact opted out", () => {
    const marketing = { ...hello, category: "marketing" as const }
    expect(refused(say({ body: "hello" }, { contact: { ...contact, optedOut: true } })).details).toEqual({
      contact_id: ["has opted out of messages"]
    })
    const more = { templates: [marketing], contact: { ...contact, marketingOptedOut: true } }
    expect(refused(say(templated, more)).details).toEqual({ contact_id: ["has opted out of marketing messages"] })
  })
  it("needs an open service window, except for templates", () => {
    const late = { conversation: { ...conversation, lastInboundAt: now - 24 * hour } }
    expect(refused(say({ body: "hello" }, late))).toMatchObject({
      code: "outside_service_window",
      details: { expires_at: new Date(now).toISOString() }
    })
    agreed(say(templated, { ...late, templates: [hello] }))
  })
  it("needs an active connection and an approved template", () => {
    expect(refused(say({ body: "hello" }, { connection: { ...connection, status: "paused" } })).code).toBe(
      "channel_unavailable"
    )
    expect(refused(say({ body: "hello" }, { capabilities: undefined })).code).toBe("channel_unavailable")
    expect(refused(say(templated, { templates: [{ ...hello, status: "draft" }] })).code).toBe("template_not_approved")
  })
  it("refuses an agent that is not an active one of the workspace", () => {
    const message = { agent_id: ["must be the id of an active agent of this workspace"] }
    const elsewhere = "01900000-0000-7000-8000-00000000beef"
    for (const agent of [undefined, { ...grace, status: "inactive" as const }, { ...grace, workspaceId: elsewhere }]) {
      expect(refused(say({ body: "hello", agent_id: grace.id }, { agent })).details).toEqual(message)
    }
  })
  it("is refused while the workspace is suspended or unavailable", () => {
    for (const status of ["suspended", "unavailable"] as const) {
      expect(refused(say({ body: "hello" }, { workspace: aWorkspace({ status }) })).code).toBe(`workspace_${status}`)
    }
  })
})

import type { ApiKeyAccess, ClientOptions, OAuthAccess } from "./ClientOptions.js"
import { type Channels, channels } from "./resources/Channels.js"
import { type Contacts, contacts } from "./resources/Contacts.js"
import { type Conversations, conversations } from "./resources/Conversations.js"
import { type Events, events } from "./resources/Events.js"
import { type Leads, leads } from "./resources/Leads.js"
import { type Messages, messages } from "./resources/Messages.js"
import { type Templates, templates } from "./resources/Templates.js"
import { accessTokens } from "./transport/accessTokens.js"
import { makeCall } from "./transport/Call.js"
import { apiKeyCredential, type Credential } from "./transport/Credential.js"
import { type Settings, settingsOf } from "./transport/Settings.js"
import type { Timing } from "./transport/Timing.js"

/** The interface as one application sees it. Every call fails with a `ParleyError`. */
export interface Client {
  readonly contacts: Contacts
  readonly messages: Messages
  readonly conversations: Conversations
  readonly templates: Templates
  readonly leads: Leads
  readonly events: Events
  readonly channels: Channels
}

/**
 * A client for server-to-server use. It holds no connection and need not be closed; make one and keep it, so that calls
 * share access tokens. Fails with a `TypeError` where an option cannot be meant.
 *
 * @example
 * ```ts
 * const parley = createClient({ baseUrl: "https://messaging.example", apiKey })
 *
 * const { data } = await parley.messages.send(
 *   { channel: "email", to: "ada@example.com", type: "text", message: { subject: "Hi", body: "Hello" } },
 *   { idempotencyKey: "order-1001" }
 * )
 * for await (const contact of parley.contacts.listAll({ tag: "vip" })) console.log(contact.name)
 * ```
 */
export const createClient = (access: ApiKeyAccess | OAuthAccess, options: ClientOptions = {}): Client =>
  makeClient(access, options)

/** The same with other time and chance. */
export const makeClient = (access: ApiKeyAccess | OAuthAccess, options: ClientOptions, timing?: Timing): Client => {
  const settings = settingsOf(access.baseUrl, options, timing)
  const credential = credentialOf(settings, access)
  const call = makeCall(settings, credential)
  return {
    contacts: contacts(call),
    messages: messages(call),
    conversations: conversations(call),
    templates: templates(call),
    leads: leads(call),
    events: events(call),
    channels: channels(call)
  }
}

const credentialOf = (settings: Settings, access: ApiKeyAccess | OAuthAccess): Credential => {
  if (access.clientId === undefined) return apiKeyCredential(access.apiKey)
  if (access.apiKey !== undefined) throw new TypeError("apiKey must be left out where there is a clientId")
  return accessTokens(settings, access)
}

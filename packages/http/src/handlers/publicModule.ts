import type {
  Access,
  AccessTokens,
  BusinessEvents,
  Channels,
  ChoiceLinks,
  Contacts,
  Conversations,
  Files,
  Leads,
  Messages,
  ProviderHooks,
  RateBuckets,
  RequestLog,
  Templates,
  Unsubscribes,
  Uploads
} from "@parley/core"
import { Effect } from "effect"
import { chooseHandler } from "../choose/chooseHandler.js"
import { ParleyApi } from "../contract/ParleyApi.js"
import { inboundHandler } from "../inbound/inboundHandler.js"
import { mediaHandler } from "../media/mediaHandler.js"
import { documentsOf } from "../openapi/documentsOf.js"
import { publicDescription } from "../openapi/publicDescription.js"
import { startPage } from "../openapi/startPage.js"
import { type ApiModule, apiModule } from "../server/ApiModule.js"
import { applicationAdmission } from "../server/applicationAdmission.js"
import { unsubscribeHandler } from "../unsubscribe/unsubscribeHandler.js"
import { attachmentsHandlers } from "./attachmentsHandlers.js"
import { channelsHandlers } from "./channelsHandlers.js"
import { contactsHandlers } from "./contactsHandlers.js"
import { conversationsHandlers } from "./conversationsHandlers.js"
import { eventsHandlers } from "./eventsHandlers.js"
import { leadsHandlers } from "./leadsHandlers.js"
import { messagesHandlers } from "./messagesHandlers.js"
import { oauthHandlers } from "./oauthHandlers.js"
import { templatesHandlers } from "./templatesHandlers.js"

/** Services of the engine that the public interface uses. */
export type PublicServices =
  | Access
  | AccessTokens
  | RateBuckets
  | RequestLog
  | BusinessEvents
  | Channels
  | ChoiceLinks
  | Contacts
  | Conversations
  | Files
  | Leads
  | Messages
  | ProviderHooks
  | Templates
  | Unsubscribes
  | Uploads

/** `/api/v1` for applications, with the handlers of inbound webhooks, media and the links in mails. */
export const publicModule: Effect.Effect<ApiModule, never, PublicServices> = Effect.gen(function* () {
  return apiModule(ParleyApi, {
    documents: [startPage, ...documentsOf(publicDescription)],
    mountedHandlers: [yield* inboundHandler, yield* mediaHandler, yield* unsubscribeHandler, yield* chooseHandler],
    admission: yield* applicationAdmission,
    handlers: {
      attachments: yield* attachmentsHandlers,
      channels: yield* channelsHandlers,
      contacts: yield* contactsHandlers,
      conversations: yield* conversationsHandlers,
      events: yield* eventsHandlers,
      leads: yield* leadsHandlers,
      messages: yield* messagesHandlers,
      oauth: yield* oauthHandlers,
      templates: yield* templatesHandlers
    }
  })
})

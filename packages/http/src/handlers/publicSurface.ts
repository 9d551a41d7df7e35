import type {
  Access,
  AccessTokens,
  BusinessEvents,
  Channels,
  Contacts,
  Conversations,
  Files,
  Leads,
  Messages,
  ProviderHooks,
  RateBuckets,
  RequestLog,
  Templates
} from "@parley/core"
import { Effect } from "effect"
import { ParleyApi } from "../contract/ParleyApi.js"
import { inboundAnnex } from "../inbound/inboundAnnex.js"
import { mediaAnnex } from "../media/mediaAnnex.js"
import { documentsOf } from "../openapi/documentsOf.js"
import { publicDescription } from "../openapi/publicDescription.js"
import { applicationAdmission } from "../server/applicationAdmission.js"
import { type Surface, surface } from "../server/Surface.js"
import { channelsHandlers } from "./channelsHandlers.js"
import { contactsHandlers } from "./contactsHandlers.js"
import { conversationsHandlers } from "./conversationsHandlers.js"
import { eventsHandlers } from "./eventsHandlers.js"
import { leadsHandlers } from "./leadsHandlers.js"
import { messagesHandlers } from "./messagesHandlers.js"
import { oauthHandlers } from "./oauthHandlers.js"
import { templatesHandlers } from "./templatesHandlers.js"

/** What the public interface needs of the engine. */
export type PublicServices =
  | Access
  | AccessTokens
  | RateBuckets
  | RequestLog
  | BusinessEvents
  | Channels
  | Contacts
  | Conversations
  | Files
  | Leads
  | Messages
  | ProviderHooks
  | Templates

/** `/api/v1`, for applications, and what the channels of a workspace need beside it. */
export const publicSurface: Effect.Effect<Surface, never, PublicServices> = Effect.gen(function* () {
  return surface(ParleyApi, {
    documents: documentsOf(publicDescription),
    annexes: [yield* inboundAnnex, yield* mediaAnnex],
    admission: yield* applicationAdmission,
    handlers: {
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

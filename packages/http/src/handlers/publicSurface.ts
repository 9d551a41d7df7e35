import type { Access, Contacts, Messages, RateBuckets } from "@parley/core"
import { Effect } from "effect"
import { ParleyApi } from "../contract/ParleyApi.js"
import { applicationAdmission } from "../server/applicationAdmission.js"
import { type Surface, surface } from "../server/Surface.js"
import { contactsHandlers } from "./contactsHandlers.js"
import { messagesHandlers } from "./messagesHandlers.js"

/** `/api/v1`, for applications. */
export const publicSurface: Effect.Effect<Surface, never, Access | RateBuckets | Contacts | Messages> = Effect.gen(
  function* () {
    return surface(ParleyApi, {
      admission: yield* applicationAdmission,
      handlers: { contacts: yield* contactsHandlers, messages: yield* messagesHandlers }
    })
  }
)

import { HttpApi, OpenApi } from "@effect/platform"
import { ContactsGroup } from "./ContactsGroup.js"
import { ErrorEnvelope } from "./ErrorEnvelope.js"
import { MessagesGroup } from "./MessagesGroup.js"

/** The public interface, version 1: every path, what it takes and what it answers. */
export const ParleyApi = HttpApi.make("parley")
  .add(ContactsGroup)
  .add(MessagesGroup)
  .addError(ErrorEnvelope, { status: 400 })
  .addError(ErrorEnvelope, { status: 401 })
  .addError(ErrorEnvelope, { status: 403 })
  .addError(ErrorEnvelope, { status: 404 })
  .addError(ErrorEnvelope, { status: 413 })
  .addError(ErrorEnvelope, { status: 422 })
  .addError(ErrorEnvelope, { status: 423 })
  .addError(ErrorEnvelope, { status: 429 })
  .addError(ErrorEnvelope, { status: 500 })
  .addError(ErrorEnvelope, { status: 503 })
  .prefix("/api/v1")
  .annotate(OpenApi.Title, "Messaging Integration Service Interface")
  .annotate(OpenApi.Version, "1.0.0")

import { HttpApi, OpenApi } from "@effect/platform"
import { ErrorEnvelope } from "../contract/ErrorEnvelope.js"
import { RequiredScopes } from "../contract/RequiredScopes.js"
import { ApplicationsGroup } from "./ApplicationsGroup.js"
import { ConnectionsGroup } from "./ConnectionsGroup.js"
import { TemplatesGroup } from "./TemplatesGroup.js"
import { WebhooksGroup } from "./WebhooksGroup.js"
import { WorkspacesGroup } from "./WorkspacesGroup.js"

/** The administration, version 1 (decisions.md §14): the conventions of the public interface, for whoever runs the service. */
export const AdminApi = HttpApi.make("parley-admin")
  .add(WorkspacesGroup)
  .add(ApplicationsGroup)
  .add(WebhooksGroup)
  .add(ConnectionsGroup)
  .add(TemplatesGroup)
  .addError(ErrorEnvelope, { status: 400 })
  .addError(ErrorEnvelope, { status: 401 })
  .addError(ErrorEnvelope, { status: 403 })
  .addError(ErrorEnvelope, { status: 404 })
  .addError(ErrorEnvelope, { status: 409 })
  .addError(ErrorEnvelope, { status: 413 })
  .addError(ErrorEnvelope, { status: 422 })
  .addError(ErrorEnvelope, { status: 429 })
  .addError(ErrorEnvelope, { status: 500 })
  .addError(ErrorEnvelope, { status: 503 })
  .prefix("/admin/v1")
  // The admin token carries every right.
  .annotate(RequiredScopes, [])
  .annotate(OpenApi.Title, "Parley administration")
  .annotate(OpenApi.Version, "1.0.0")

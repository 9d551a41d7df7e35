import type { Administration as Admin, RateBuckets } from "@parley/core"
import { Effect, type Redacted } from "effect"
import { type Surface, surface } from "../server/Surface.js"
import { AdminApi } from "./AdminApi.js"
import { adminAdmission } from "./adminAdmission.js"
import { applicationsHandlers } from "./applicationsHandlers.js"
import { connectionsHandlers } from "./connectionsHandlers.js"
import { templatesHandlers } from "./templatesHandlers.js"
import { webhooksHandlers } from "./webhooksHandlers.js"
import { workspacesHandlers } from "./workspacesHandlers.js"

/** What the admin API needs of the engine. */
export type Administration = Admin.Administration

/** `/admin/v1`, for whoever holds the token. */
export const adminSurface = (
  adminToken: Redacted.Redacted
): Effect.Effect<Surface, never, RateBuckets | Administration> =>
  Effect.gen(function* () {
    return surface(AdminApi, {
      admission: yield* adminAdmission(adminToken),
      handlers: {
        workspaces: yield* workspacesHandlers,
        applications: yield* applicationsHandlers,
        webhooks: yield* webhooksHandlers,
        connections: yield* connectionsHandlers,
        templates: yield* templatesHandlers
      }
    })
  })

import { Layer } from "effect"
import * as AdminApplications from "./applications/AdminApplications.js"
import * as AdminConnections from "./connections/AdminConnections.js"
import * as AdminDeliveries from "./deliveries/AdminDeliveries.js"
import * as AdminEndpoints from "./endpoints/AdminEndpoints.js"
import * as AdminApiKeys from "./keys/AdminApiKeys.js"
import * as AdminTemplates from "./templates/AdminTemplates.js"
import * as AdminWorkspaces from "./workspaces/AdminWorkspaces.js"

/** Every service behind the admin API (decisions.md §14). */
export const layer = Layer.mergeAll(
  AdminWorkspaces.layer,
  AdminApplications.layer,
  AdminApiKeys.layer,
  AdminEndpoints.layer,
  AdminDeliveries.layer,
  AdminConnections.layer,
  AdminTemplates.layer
)

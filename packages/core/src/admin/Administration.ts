import { Layer } from "effect"
import type { Decider } from "../Decider.js"
import type { EngineSettings } from "../EngineSettings.js"
import type { Inbound } from "../messages/Inbound.js"
import type { ChannelProviders } from "../ports/ChannelProvider.js"
import type { HttpSender } from "../ports/HttpSender.js"
import type { Ids } from "../ports/Ids.js"
import type { SecretBox } from "../ports/SecretBox.js"
import type { Storage } from "../ports/Storage.js"
import * as AdminAgents from "./agents/AdminAgents.js"
import * as AdminApplications from "./applications/AdminApplications.js"
import * as AdminConnections from "./connections/AdminConnections.js"
import * as AdminCustomFields from "./customFields/AdminCustomFields.js"
import * as AdminDeliveries from "./deliveries/AdminDeliveries.js"
import * as AdminEndpoints from "./endpoints/AdminEndpoints.js"
import * as AdminApiKeys from "./keys/AdminApiKeys.js"
import * as AdminLeads from "./leads/AdminLeads.js"
import * as AdminOAuthClients from "./oauthClients/AdminOAuthClients.js"
import * as AdminPipelines from "./pipelines/AdminPipelines.js"
import * as AdminTeams from "./teams/AdminTeams.js"
import * as AdminTemplates from "./templates/AdminTemplates.js"
import * as AdminWorkflows from "./workflows/AdminWorkflows.js"
import * as AdminWorkspaces from "./workspaces/AdminWorkspaces.js"

/** The services behind the admin API. */
export type Administration =
  | AdminWorkspaces.AdminWorkspaces
  | AdminApplications.AdminApplications
  | AdminApiKeys.AdminApiKeys
  | AdminOAuthClients.AdminOAuthClients
  | AdminEndpoints.AdminEndpoints
  | AdminDeliveries.AdminDeliveries
  | AdminConnections.AdminConnections
  | AdminTemplates.AdminTemplates
  | AdminPipelines.AdminPipelines
  | AdminLeads.AdminLeads
  | AdminCustomFields.AdminCustomFields
  | AdminAgents.AdminAgents
  | AdminTeams.AdminTeams
  | AdminWorkflows.AdminWorkflows

/** Every service behind the admin API (decisions.md §14). */
export const layer: Layer.Layer<
  Administration,
  never,
  Storage | Decider | Ids | Inbound | ChannelProviders | HttpSender | SecretBox | EngineSettings
> = Layer.mergeAll(
  AdminWorkspaces.layer,
  AdminApplications.layer,
  AdminApiKeys.layer,
  AdminOAuthClients.layer,
  AdminEndpoints.layer,
  AdminDeliveries.layer,
  AdminConnections.layer,
  AdminPipelines.layer,
  AdminLeads.layer,
  AdminCustomFields.layer,
  AdminAgents.layer,
  AdminTeams.layer,
  AdminWorkflows.layer,
  AdminTemplates.layer
)

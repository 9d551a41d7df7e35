import {
  type Administration as Admin,
  AdministratorKeys,
  type Files,
  type RateBuckets,
  type Uploads
} from "@parley/core"
import { Effect, type Redacted } from "effect"
import { adminDescription } from "../openapi/adminDescription.js"
import { documentsOf } from "../openapi/documentsOf.js"
import { type ApiModule, apiModule } from "../server/ApiModule.js"
import { AdminApi } from "./AdminApi.js"
import { adminAdmission } from "./adminAdmission.js"
import { agentsHandlers } from "./agentsHandlers.js"
import { applicationsHandlers } from "./applicationsHandlers.js"
import { attachmentsHandlers } from "./attachmentsHandlers.js"
import { botsHandlers } from "./botsHandlers.js"
import { connectionsHandlers } from "./connectionsHandlers.js"
import { contactsHandlers } from "./contactsHandlers.js"
import { conversationsHandlers } from "./conversationsHandlers.js"
import { customFieldsHandlers } from "./customFieldsHandlers.js"
import { jobsHandlers } from "./jobsHandlers.js"
import { leadsHandlers } from "./leadsHandlers.js"
import { logsHandlers } from "./logsHandlers.js"
import { messagesHandlers } from "./messagesHandlers.js"
import { pipelinesHandlers } from "./pipelinesHandlers.js"
import { retentionHandlers } from "./retentionHandlers.js"
import { secretsHandlers } from "./secretsHandlers.js"
import { statusHandlers } from "./statusHandlers.js"
import { tasksHandlers } from "./tasksHandlers.js"
import { teamsHandlers } from "./teamsHandlers.js"
import { templatesHandlers } from "./templatesHandlers.js"
import { webhooksHandlers } from "./webhooksHandlers.js"
import { workflowRunsHandlers } from "./workflowRunsHandlers.js"
import { workflowsHandlers } from "./workflowsHandlers.js"
import { workspacesHandlers } from "./workspacesHandlers.js"

/** Services of the engine that the admin API uses. */
export type Administration = Admin.Administration

/**
 * `/admin/v1`, authenticated by the admin token. With `hosts`, the host names of the service, requests to other public
 * names and from pages of other sites are refused (docs/reference/administration.md#host-and-origin); without it,
 * whatever serves the module checks them.
 */
export const adminModule = (
  adminToken: Redacted.Redacted,
  { hosts = null }: { readonly hosts?: ReadonlyArray<string> | null } = {}
): Effect.Effect<ApiModule, never, RateBuckets | Files | Uploads | Administration> =>
  Effect.gen(function* () {
    const { answerOnce } = yield* AdministratorKeys
    return apiModule(AdminApi, {
      documents: documentsOf(adminDescription),
      refusesUnknownParameters: true,
      admission: yield* adminAdmission(adminToken, hosts),
      answerOnce: ({ caller, ...request }, answer) =>
        answerOnce({ actor: caller.actor, declaredIn: caller.declaredIn, ...request }, answer),
      handlers: {
        workspaces: yield* workspacesHandlers,
        applications: yield* applicationsHandlers,
        webhooks: yield* webhooksHandlers,
        connections: yield* connectionsHandlers,
        pipelines: yield* pipelinesHandlers,
        leads: yield* leadsHandlers,
        conversations: yield* conversationsHandlers,
        attachments: yield* attachmentsHandlers,
        messages: yield* messagesHandlers,
        tasks: yield* tasksHandlers,
        contacts: yield* contactsHandlers,
        customFields: yield* customFieldsHandlers,
        agents: yield* agentsHandlers,
        teams: yield* teamsHandlers,
        templates: yield* templatesHandlers,
        workflows: yield* workflowsHandlers,
        workflowRuns: yield* workflowRunsHandlers,
        bots: yield* botsHandlers,
        secrets: yield* secretsHandlers,
        retention: yield* retentionHandlers,
        jobs: yield* jobsHandlers,
        status: yield* statusHandlers,
        logs: yield* logsHandlers
      }
    })
  })

import { HttpApi, OpenApi } from "@effect/platform"
import { AcceptsIdempotencyKeys } from "../contract/IdempotencyKey.js"
import { Raises } from "../contract/Raises.js"
import { RequiredScopes } from "../contract/RequiredScopes.js"
import { AgentsGroup } from "./AgentsGroup.js"
import { ApplicationsGroup } from "./ApplicationsGroup.js"
import { AttachmentsGroup } from "./AttachmentsGroup.js"
import { BotsGroup } from "./BotsGroup.js"
import { ConnectionsGroup } from "./ConnectionsGroup.js"
import { ContactsGroup } from "./ContactsGroup.js"
import { ConversationsGroup } from "./ConversationsGroup.js"
import { CustomFieldsGroup } from "./CustomFieldsGroup.js"
import { JobsGroup } from "./JobsGroup.js"
import { LeadsGroup } from "./LeadsGroup.js"
import { LogsGroup } from "./LogsGroup.js"
import { MessagesGroup } from "./MessagesGroup.js"
import { PipelinesGroup } from "./PipelinesGroup.js"
import { RetentionGroup } from "./RetentionGroup.js"
import { SecretsGroup } from "./SecretsGroup.js"
import { StatusGroup } from "./StatusGroup.js"
import { TasksGroup } from "./TasksGroup.js"
import { TeamsGroup } from "./TeamsGroup.js"
import { TemplatesGroup } from "./TemplatesGroup.js"
import { WebhooksGroup } from "./WebhooksGroup.js"
import { WorkflowRunsGroup } from "./WorkflowRunsGroup.js"
import { WorkflowsGroup } from "./WorkflowsGroup.js"
import { WorkspacesGroup } from "./WorkspacesGroup.js"

/**
 * The administration API, version 1 (docs/reference/administration.md#conventions-of-the-admin-api). It follows the
 * conventions of the public interface.
 */
export const AdminApi = HttpApi.make("parley-admin")
  .add(WorkspacesGroup)
  .add(ApplicationsGroup)
  .add(WebhooksGroup)
  .add(ConnectionsGroup)
  .add(TemplatesGroup)
  .add(PipelinesGroup)
  .add(LeadsGroup)
  .add(ConversationsGroup)
  .add(AttachmentsGroup)
  .add(MessagesGroup)
  .add(TasksGroup)
  .add(ContactsGroup)
  .add(CustomFieldsGroup)
  .add(AgentsGroup)
  .add(TeamsGroup)
  .add(WorkflowsGroup)
  .add(WorkflowRunsGroup)
  .add(BotsGroup)
  .add(LogsGroup)
  .add(SecretsGroup)
  .add(RetentionGroup)
  .add(JobsGroup)
  .add(StatusGroup)
  .prefix("/admin/v1")
  // validation_failed: unknown query parameters. forbidden: `Host` or `Origin`.
  .annotate(Raises, ["unauthenticated", "forbidden", "validation_failed"])
  .annotate(AcceptsIdempotencyKeys, true)
  // The admin token grants all rights.
  .annotate(RequiredScopes, [])
  .annotate(OpenApi.Title, "Parley administration")
  .annotate(OpenApi.Version, "1.0.0")

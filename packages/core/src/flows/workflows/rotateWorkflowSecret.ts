import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Instant } from "../../model/Instant.js"
import type { Workflow } from "../../model/Workflow.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { signingSecret } from "../webhooks/signingSecret.js"
import type { WorkflowWithSecret } from "./WorkflowWithSecret.js"

/** `POST /workflows/{id}/rotate-secret`: the next attempt of each webhook is signed with the new secret. */
export const rotateWorkflowSecret = (
  present: Workflow | undefined,
  seal: SecretBox["seal"],
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<WorkflowWithSecret>, Refusal> =>
  Either.map(orNotFound(present), (workflow) => {
    const { id, version, workspaceId } = workflow
    const secret = signingSecret(ids)
    const sealed = seal(secret)
    const entry = { workspaceId, applicationId: null, action: "workflow.secret_rotated", subjectId: id }
    return {
      changes: changes(workspaceId, {
        expects: [expect("workflows", { id }, { version })],
        sets: [set("workflows", { id }, { secret: sealed })],
        inserts: [auditRow(entry, now, ids)]
      }),
      result: { workflow: { ...workflow, secret: sealed, version: version + 1 }, secret }
    }
  })

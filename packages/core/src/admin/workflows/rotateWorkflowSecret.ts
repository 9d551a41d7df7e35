import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import type { Workflow } from "../../workflows/Workflow.js"
import { audited } from "../audited.js"
import { signingSecret } from "../endpoints/signingSecret.js"
import { found } from "../found.js"
import type { WorkflowWithSecret } from "./WorkflowWithSecret.js"

/** `POST /workflows/{id}/rotate-secret`: its webhooks are signed with the new secret from their next attempt on. */
export const rotateWorkflowSecret = (
  present: Workflow | undefined,
  seal: SecretBox["seal"],
  now: Instant,
  ids: Ids
): Either.Either<Decision<WorkflowWithSecret>, Refusal> =>
  Either.map(found(present), (workflow) => {
    const { id, version, workspaceId } = workflow
    const secret = signingSecret(ids)
    const sealed = seal(secret)
    const entry = { workspaceId, applicationId: null, action: "workflow.secret_rotated", subjectId: id }
    return {
      changes: changes(workspaceId, {
        expects: [expect("workflows", { id }, { version })],
        sets: [set("workflows", { id }, { secret: sealed })],
        inserts: [audited(entry, now, ids)]
      }),
      result: { workflow: { ...workflow, secret: sealed, version: version + 1 }, secret }
    }
  })

import { Effect, Either } from "effect"
import { notify } from "../../../kernel/notify.js"
import { truncate } from "../../../kernel/text/truncate.js"
import type { Notify } from "../../../model/Action.js"
import { fillIn } from "../../../resources/contacts/placeholders.js"
import { type Prepare, valuesOf } from "../runs/RunScope.js"

const maxLength = 1_000

/** Notifies the administrators of the workspace. */
export const notifyAdministrators: Prepare<Notify> = (_, __, action) =>
  Effect.succeed((scope, now, ids) => {
    const { applicationId, id, workspaceId } = scope.run
    const message = truncate(fillIn(action.message, valuesOf(scope)), maxLength)
    const about = { workspaceId, applicationId, kind: "workflow.notify", subjectId: id, message }
    return Either.right({
      parts: [{ inserts: notify(about, now, ids) }],
      detail: `notified the administrators: ${message}`
    })
  })

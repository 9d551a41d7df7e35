import { Effect, Either } from "effect"
import { notify } from "../../notifications/notify.js"
import type { Notify } from "../definition/Action.js"
import { fillIn } from "../placeholders.js"
import { type Prepare, valuesOf } from "../runs/RunScope.js"
import { shortened } from "./shortened.js"

const longest = 1_000

/** Tells the administrators of the workspace. */
export const tellAdministrators: Prepare<Notify> = (_, __, action) =>
  Effect.succeed((scope, now, ids) => {
    const { applicationId, id, workspaceId } = scope.run
    const message = shortened(fillIn(action.message, valuesOf(scope)), longest)
    const about = { workspaceId, applicationId, kind: "workflow.notify", subjectId: id, message }
    return Either.right({
      parts: [{ inserts: notify(about, now, ids) }],
      detail: `told the administrators: ${message}`
    })
  })

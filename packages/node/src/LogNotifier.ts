import { Notifier } from "@parley/core"
import { Effect, Layer } from "effect"

/** Tells the administrators by a warning in the log. */
export const layer: Layer.Layer<Notifier> = Layer.succeed(Notifier, {
  tell: ({ message, workspaceId, kind, subjectId }) =>
    Effect.logWarning(message).pipe(Effect.annotateLogs({ workspaceId, kind, subjectId }))
})

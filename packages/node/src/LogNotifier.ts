import { Notifier } from "@parley/core"
import { Effect, Layer } from "effect"

/** Writes notifications to administrators as warnings to the log. */
export const layer: Layer.Layer<Notifier> = Layer.succeed(Notifier, {
  notify: ({ message, workspaceId, kind, subjectId }) =>
    Effect.logWarning(message).pipe(Effect.annotateLogs({ workspaceId, kind, subjectId }))
})

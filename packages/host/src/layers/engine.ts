import { Administration, DatabaseClock, Engine, type ReadError } from "@parley/core"
import { Layer } from "effect"
import { type SecretKeyMismatch, secretsReadable } from "./secretsReadable.js"

/**
 * Layer of the engine and its administration. First checks that the stored secrets can be decrypted. `secretKeySetting`
 * names the source of the secret key in errors.
 */
export const engine = <A, E>(
  ports: Layer.Layer<Engine.Ports | A, E>,
  secretKeySetting: string
): Layer.Layer<Engine.Engine | Administration.Administration | Engine.Ports | A, E | SecretKeyMismatch | ReadError> =>
  Administration.layer.pipe(
    Layer.provideMerge(Engine.layer),
    Layer.provideMerge(DatabaseClock.measured),
    Layer.provideMerge(Layer.effectDiscard(secretsReadable(secretKeySetting))),
    Layer.provideMerge(ports)
  )

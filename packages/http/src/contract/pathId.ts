import { HttpApiSchema } from "@effect/platform"
import { uuid } from "@parley/core"

/** The id of a resource of this kind, as a parameter of a path. */
export const pathId = <N extends string>(name: N, kind: string) =>
  HttpApiSchema.param(
    name,
    uuid.annotations({ jsonSchema: { type: "string", format: "uuid", description: `The ${kind}'s id.` } })
  )

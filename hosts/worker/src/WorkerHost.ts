import { Engine } from "@parley/core"

/** Works off the queue while its scope lives; when that ends it finishes what it has begun. */
export const layer = Engine.worker

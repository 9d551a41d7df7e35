import { Engine } from "@parley/core"

/** Processes the queue while its scope lives. When the scope ends, it finishes the work in progress. */
export const layer = Engine.worker

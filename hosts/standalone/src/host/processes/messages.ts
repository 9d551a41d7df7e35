import type { Family } from "@parley/core"

/** What a process of a host sends to the parent. */
export type ToParent =
  | { readonly parley: "started" }
  /** Requests the metrics of all processes. */
  | { readonly parley: "request metrics"; readonly id: number }
  | { readonly parley: "own metrics"; readonly id: number; readonly families: ReadonlyArray<Family> }

/** What the parent sends to a process of a host. */
export type ToChild =
  | { readonly parley: "request own metrics"; readonly id: number }
  | { readonly parley: "metrics"; readonly id: number; readonly families: ReadonlyArray<Family> }

import { Effect, type Scope } from "effect"
import type { Lacks } from "./ChannelFixture.js"

/** One thing that a provider must do. */
export interface ContractCase {
  /** What holds, in a few words. */
  readonly name: string
  /** Why it is not asked of this provider; null: it is. */
  readonly lacks: string | null
  /** Dies or fails where it does not hold. */
  readonly run: Effect.Effect<void, unknown, Scope.Scope>
}

/** A case that is always asked. */
export const asked = (name: string, run: ContractCase["run"]): ContractCase => ({ name, lacks: null, run })

/** A case for what a channel has, or its name with the reason for which it is not asked. */
export const askedWhere = <Facet>(
  name: string,
  facet: Facet | Lacks,
  run: (facet: Facet) => ContractCase["run"]
): ContractCase =>
  isLacking(facet) ? { name, lacks: facet.lacks, run: Effect.void } : { name, lacks: null, run: run(facet) }

/** Whether a fixture says that the channel lacks this. */
export const isLacking = <Facet>(facet: Facet | Lacks): facet is Lacks =>
  typeof facet === "object" && facet !== null && "lacks" in facet

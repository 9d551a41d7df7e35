import { Effect, type Scope } from "effect"
import type { Lacks } from "./ChannelFixture.js"

/** A case of the provider contract. */
export interface ContractCase {
  /** The rule in a few words. */
  readonly name: string
  /** The reason to skip the case for this provider; null: it runs. */
  readonly lacks: string | null
  /** Dies or fails if the rule is violated. */
  readonly run: Effect.Effect<void, unknown, Scope.Scope>
}

/** A case that always runs. */
export const requiredCase = (name: string, run: ContractCase["run"]): ContractCase => ({ name, lacks: null, run })

/** A case for a feature of a channel; skipped with the reason if the channel lacks it. */
export const conditionalCase = <Facet>(
  name: string,
  facet: Facet | Lacks,
  run: (facet: Facet) => ContractCase["run"]
): ContractCase =>
  isLacking(facet) ? { name, lacks: facet.lacks, run: Effect.void } : { name, lacks: null, run: run(facet) }

/** Whether a fixture declares that the channel lacks this feature. */
export const isLacking = <Facet>(facet: Facet | Lacks): facet is Lacks =>
  typeof facet === "object" && facet !== null && "lacks" in facet

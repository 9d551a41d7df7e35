import { createHash, randomUUID } from "node:crypto"
import { matchesSecret, minute } from "@parley/core"
import type { Challenge, NewVisitor, VisitorChallenge } from "./VisitorChallenge.js"

/** The options of {@link proofOfWork}. */
export interface ProofOfWorkOptions {
  /**
   * Leading zero bits that the hash must have, 1 to 32: each one doubles the work. Default: 18, which takes a laptop
   * less than a second and a phone a few.
   */
  readonly bits?: number
  /** Ask while the part of new visitors that this process admitted within the minute is at least this. Default: 0.5. */
  readonly fromLoad?: number
}

/** The type of the challenge for clients. */
export const proofOfWorkType = "proof_of_work"

/** In ms, from the challenge to its answer. */
const lifetime = 2 * minute

/** Maximum number of answered challenges that are remembered, about 10 MB. Beyond it, answers are refused. */
export const maxAnswered = 50_000

/**
 * A challenge that costs processor time (docs/reference/webchat.md#proof-of-work): a number whose SHA-256 together with
 * the challenge's signature begins with zero bits. Challenges are signed and expire; each process takes an answer once.
 */
export const proofOfWork = ({ bits = 18, fromLoad = 0.5 }: ProofOfWorkOptions = {}): VisitorChallenge => {
  /** When the challenges expire that were answered, in the order of their answers. */
  const answered = new Map<string, number>()
  const forget = (now: number): void => {
    for (const [id, expires] of answered) if (expires <= now) answered.delete(id)
  }
  return {
    issue: ({ load, now, sign }): Challenge | null => {
      if (load < fromLoad) return null
      const claims = `${randomUUID()}.${now + lifetime}.${bits}`
      return { type: proofOfWorkType, challenge: `${claims}.${signature(claims, sign)}`, bits }
    },
    verify: ({ challenge, solution }, { now, sign }) => {
      if (typeof challenge !== "string" || typeof solution !== "string" || !/^\d{1,11}$/.test(solution)) return false
      const [id = "", expires = "", required = "", mac = ""] = challenge.split(".")
      if (!matchesSecret(mac, signature(`${id}.${expires}.${required}`, sign))) return false
      if (Number(expires) <= now || answered.has(id)) return false
      if (zeroBits(`${mac}.${solution}`) < Number(required)) return false
      if (answered.size >= maxAnswered) forget(now)
      if (answered.size >= maxAnswered) return false
      answered.set(id, Number(expires))
      return true
    }
  }
}

const signature = (claims: string, sign: NewVisitor["sign"]): string => sign(`${proofOfWorkType}\n${claims}`)

/** Number of leading zero bits of the SHA-256 of a text, 32 at most. */
const zeroBits = (text: string): number => Math.clz32(createHash("sha256").update(text).digest().readUInt32BE())

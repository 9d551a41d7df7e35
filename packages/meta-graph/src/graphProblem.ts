import type { Meaning } from "@parley/provider-kit"
import type { GraphError } from "./GraphError.js"
import type { GraphFailure } from "./graphApi.js"

/** The texts for operators of one of Meta's products. */
export interface GraphProblems {
  /** The credential field that contains the token. */
  readonly token: string
  /** The permissions that the token requires, such as `pages_messaging and pages_manage_metadata`. */
  readonly permissions: string
  readonly meaningOf: (error: GraphError, status: number) => Meaning
}

/**
 * What an operator has to do after a failed call, without text of Meta's, which may repeat what was sent.
 * `unknownObject`: the text if Meta does not know the requested object.
 */
export const graphProblem =
  ({ meaningOf, permissions, token }: GraphProblems) =>
  (failure: GraphFailure, unknownObject: string): string => {
    if (failure._tag !== "Refused" || failure.error === null) return `Meta could not be asked: ${failure.reason}.`
    const { error, reason, status } = failure
    const { code } = error
    const meaning = meaningOf(error, status)
    if (code === 190 || code === 0 || (status === 401 && meaning.kind === "rejected")) {
      return `Meta does not take the ${token}: it is wrong, was withdrawn or has expired. Make a new one.`
    }
    if (code === 100 && error.message.includes("appsecret_proof")) {
      return `The app_secret is not that of the app which the ${token} was made for.`
    }
    if (code === 10 || code === 3 || (code >= 200 && code <= 299)) {
      return `The ${token} lacks a permission: it needs ${permissions}.`
    }
    if (code === 100 || code === 33) return unknownObject
    return meaning.kind === "rejected"
      ? `Meta refused with error ${error.providerCode}. ${meaning.message}`
      : `Meta cannot answer for now: ${reason}. Try again later.`
  }

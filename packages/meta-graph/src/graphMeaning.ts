import { type Meaning, type Rejection, rejection } from "@parley/provider-kit"
import { codesOf, type GraphError } from "./GraphError.js"

/** The meanings of the errors of one of Meta's products. */
export interface GraphMeanings {
  /** By code and subcode (`10/2018278`), by a code with any other subcode (`10/*`), and by code alone (`10`). */
  readonly meanings: { readonly [codes: string]: Meaning }
  /** The token lacks a permission. Also applies to codes 200 to 299. */
  readonly noPermission: Rejection
  /** The token is not valid. Also applies to unlisted errors with status 401. */
  readonly noAccess: Rejection
  /** The text for an unlisted error. */
  readonly refused: string
}

/** The meaning of an error. An unlisted one is classified by the HTTP status (null: the error came in a receipt). */
export const graphMeaning =
  ({ meanings, noAccess, noPermission, refused }: GraphMeanings) =>
  (error: Pick<GraphError, "code" | "subcode" | "isTransient">, status: number | null): Meaning => {
    const { code, isTransient, subcode } = error
    const known =
      meanings[codesOf(error)] ?? (subcode === null ? undefined : meanings[`${code}/*`]) ?? meanings[String(code)]
    if (known !== undefined) return known
    if (code >= 200 && code <= 299) return noPermission
    if (status === 429) return { kind: "throttled" }
    if (status === 401) return noAccess
    return isTransient || (status !== null && status >= 500) ? { kind: "transient" } : rejection("message", refused)
  }

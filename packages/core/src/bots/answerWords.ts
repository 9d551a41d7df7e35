import { folded } from "../contacts/folded.js"

const words = (text: string): ReadonlySet<string> => new Set(text.split(" ").map(folded))

/** What customers say to a question that wants yes or no, in the languages that opt-out words are known in; plain. */
export const yesNoWords: { readonly yes: ReadonlySet<string>; readonly no: ReadonlySet<string> } = {
  yes: words("yes y yeah yep sure ok okay ja j jo jawohl oui sí si sim tak da да так evet はい 是 نعم"),
  no: words("no n nope nah nein nö nee non não nao nie нет ні hayır いいえ 否 لا")
}

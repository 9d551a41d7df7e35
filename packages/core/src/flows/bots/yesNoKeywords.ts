import { searchKey } from "../../kernel/text/searchKey.js"

const message = (text: string): ReadonlySet<string> => new Set(text.split(" ").map(searchKey))

/** Yes and no keywords in the languages of the opt-out keywords, normalised as plain text. */
export const yesNoKeywords: { readonly yes: ReadonlySet<string>; readonly no: ReadonlySet<string> } = {
  yes: message("yes y yeah yep sure ok okay ja j jo jawohl oui sí si sim tak da да так evet はい 是 نعم"),
  no: message("no n nope nah nein nö nee non não nao nie нет ні hayır いいえ 否 لا")
}

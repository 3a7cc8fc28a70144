# Writes an HTML page of about 200 kB, the same every time: headings, paragraphs, lists, tables, entities, sloppy tags.
function draw(n) { state = (state * 1309 + 13849) % 65536; return state % n }
function word(  length_, text) {
  length_ = 2 + draw(8); text = ""
  while (length_-- > 0) text = text substr("etaoinshrdlu", 1 + draw(12), 1)
  return text
}
function words(n,  text) { text = word(); while (--n > 0) text = text " " word(); return text }
BEGIN {
  state = 74755
  print "<html><head><title>Pages</title><style>p { color: red }</style></head><body>"
  for (i = 0; i < 250; i++) {
    printf "<h2 id=h%d>%s</h2><p class=\"a b\">%s <b>%s</b> &amp; <a href=\"/x?%d&y=2\" title='%s'>%s</a><br>%s &copy; &lt;%s&gt;\n", i, words(4), words(30), words(3), i, words(2), words(2), words(12), word()
    printf "<ul>"
    for (j = 0; j < 5; j++) printf "<li>%s <i>%s</i>", words(3), word()
    printf "</ul>\n<table border=1><tr>"
    for (j = 0; j < 4; j++) printf "<td>%s<td align=right>%d", words(2), draw(1000)
    printf "</table><!-- %s -->\n", words(6)
  }
  print "</body></html>"
}

#!/usr/bin/env bash
# Inputs and jars of the real programs: docs/studies/events/inputs.sh DIRECTORY. Writes programs.toml there.
set -euo pipefail
to=$(realpath -m "${1:?directory}")
mkdir -p "$to"
cd "$to"
fetch() { # group:artifact:version
  mvn -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -Dartifact="$1" -DoutputDirectory="$to" -Dmdep.useBaseVersion=true
}
for artifact in net.sf.jtidy:jtidy:r938 org.ccil.cowan.tagsoup:tagsoup:1.2.1 xalan:xalan:2.7.3 xalan:serializer:2.7.3 \
  xerces:xercesImpl:2.12.2 xml-apis:xml-apis:1.4.01 org.apache-extras.beanshell:bsh:2.0b6 org.luaj:luaj-jse:3.0.1; do
  fetch "$artifact"
done
awk 'BEGIN { print "<html><head><title>Stock</title><body>"
  for (i = 0; i < 900; i++) printf "<h2>Part %d<p>Price <b>%d.%02d</b> <i>in stock: <u>%d</u></i>\n<ul><li>size %d<li>mass %d</ul><table><tr><td>%d<td>%d</table>\n", i, i * 7 % 90, i * 13 % 100, i % 9, i % 17, i % 31, i, i * i % 1000
  print "</html>" }' > page.html
awk 'BEGIN { print "<stock>"
  for (i = 0; i < 1500; i++) printf "<item id=\"%d\" group=\"g%d\"><name>part %d</name><price>%d.%02d</price></item>\n", i, i % 25, i, i * 7 % 90, i * 13 % 100
  print "</stock>" }' > stock.xml
cat > report.xsl <<'XSL'
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:key name="of-group" match="item" use="@group"/>
  <xsl:template match="/stock">
    <report>
      <xsl:for-each select="item[generate-id() = generate-id(key('of-group', @group)[1])]">
        <xsl:sort select="@group"/>
        <group name="{@group}" sum="{sum(key('of-group', @group)/price)}">
          <xsl:for-each select="key('of-group', @group)"><xsl:sort select="price" data-type="number"/><part><xsl:value-of select="name"/></part></xsl:for-each>
        </group>
      </xsl:for-each>
    </report>
  </xsl:template>
</xsl:stylesheet>
XSL
cat > work.lua <<'LUA'
local words, count, state = {}, {}, 42
for i = 1, 4000 do state = (state * 1103 + 12345) % 65536; words[i] = "w" .. state % 700 end
for _, w in ipairs(words) do count[w] = (count[w] or 0) + 1 end
local list = {}
for w, n in pairs(count) do list[#list + 1] = { w, n } end
table.sort(list, function(a, b) return a[2] > b[2] or a[2] == b[2] and a[1] < b[1] end)
local sum = 0
for i = 1, #list do sum = sum + i * list[i][2] end
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(#list, sum, fib(19))
LUA
cat > work.bsh <<'BSH'
int state = 7;
int rounds = 0;
map = new java.util.TreeMap();
for (int i = 0; i < 3000; i++) {
    state = (state * 1309 + 13849) % 65536;
    key = Integer.toString(state % 500, 36);
    old = map.get(key);
    map.put(key, old == null ? 1 : old + 1);
    int n = state;
    while (n > 1) { n = n % 2 == 0 ? n / 2 : n / 3; rounds++; }
}
print(map.size() + " " + rounds + " " + map.firstKey());
BSH
cat > programs.toml <<TOML
[[program]]
name = "jtidy"
command = ["java", "-cp", "$to/jtidy-r938.jar", "org.w3c.tidy.Tidy", "-q", "-asxml", "--show-warnings", "no", "$to/page.html"]

[[program]]
name = "tagsoup"
command = ["java", "-cp", "$to/tagsoup-1.2.1.jar", "org.ccil.cowan.tagsoup.CommandLine", "$to/page.html"]

[[program]]
name = "xalan"
command = ["java", "-cp", "$to/xalan-2.7.3.jar:$to/serializer-2.7.3.jar:$to/xercesImpl-2.12.2.jar:$to/xml-apis-1.4.01.jar", "org.apache.xalan.xslt.Process", "-IN", "$to/stock.xml", "-XSL", "$to/report.xsl"]

[[program]]
name = "beanshell"
command = ["java", "-cp", "$to/bsh-2.0b6.jar", "bsh.Interpreter", "$to/work.bsh"]

[[program]]
name = "luaj"
command = ["java", "-cp", "$to/luaj-jse-3.0.1.jar", "lua", "$to/work.lua"]
TOML

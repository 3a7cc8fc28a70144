-- Calls, tables and strings: the same output each time.
local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
local words, count = {}, {}
for i = 1, 4000 do words[i] = "w" .. (i * 7919 % 613) end
for _, word in ipairs(words) do count[word] = (count[word] or 0) + 1 end
table.sort(words)
print(fib(19), #words, words[1], words[#words], count.w1)

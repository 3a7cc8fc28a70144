-- Calls, tables, numbers and a few strings. The C library has little to do in them. The same output each time.
local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end

local most, primes, crossed = 100000, 0, {}
for i = 1, most do crossed[i] = false end
for i = 2, most do
    if not crossed[i] then
        primes = primes + 1
        for multiple = i * i, most, i do crossed[multiple] = true end
    end
end

local numbers = {}
for i = 1, 20000 do numbers[i] = i * 7919 % 20011 end
table.sort(numbers)

local words, count = {}, {}
for i = 1, 200 do words[i] = "w" .. i * 7919 % 61 end
for _ = 1, 200 do
    for _, word in ipairs(words) do count[word] = (count[word] or 0) + 1 end
end

print(fib(28), primes, numbers[1], numbers[#numbers], count.w1)

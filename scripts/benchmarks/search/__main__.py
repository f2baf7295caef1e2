from scripts.benchmarks.search.measure import main

main()

package export

// factor returns what a value in one unit is multiplied by to be in another.
func factor(from, to string) (float64, bool) {
	if from == to {
		return 1, true
	}
	switch from + ">" + to {
	case "ns>us":
		return 1e-3, true
	case "ns>ms":
		return 1e-6, true
	case "ns>sec":
		return 1e-9, true
	case "B>KB", "bytes>KB":
		return 1.0 / 1024, true
	}
	return 0, false
}
